import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
const GROUNDS = ['canvas', 'surface', 'raised', 'sunken']
const SKELETON_CONTRAST_MIN = 1.3

type Rgb = readonly number[]

function getColor(name: string, theme: 'light' | 'dark'): Rgb {
  const found = new RegExp(`--color-${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(css)
  const hex = found?.[theme === 'light' ? 1 : 2] ?? ''
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
}

// WCAG 2.2, "relative luminance".
function getLuminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function getContrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [getLuminance(a), getLuminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

// The faintest moment of its animation.
function getFaintest(color: Rgb, ground: Rgb): Rgb {
  const opacity = Number(/@keyframes skeleton \{\s*50% \{\s*opacity: ([\d.]+)/.exec(css)?.[1])
  return color.map((value, at) => value * opacity + (ground[at] ?? 0) * (1 - opacity))
}

const SERIES = ['blue', 'orange', 'teal', 'purple', 'olive', 'gray'].map((name) => `chart-${name}`)
// WCAG 2.2, success criterion 1.4.11.
const GRAPHIC_CONTRAST_MIN = 3

for (const theme of ['light', 'dark'] as const) {
  test(`charts › each series is visible on its panel, ${theme}`, () => {
    const ground = getColor('surface', theme)
    const faint = SERIES.filter(
      (name) => !(getContrast(getColor(name, theme), ground) >= GRAPHIC_CONTRAST_MIN),
    )
    assert.deepEqual(faint, [])
  })

  test(`charts › no two series have similar colors, ${theme}`, () => {
    const colors = SERIES.map((name) => getColor(name, theme))
    const similar = colors.flatMap((one, at) =>
      colors
        .slice(at + 1)
        .filter((other) => Math.hypot(...one.map((value, i) => value - (other[i] ?? 0))) < 60),
    )
    assert.deepEqual(similar, [])
  })

  test(`skeletons › stay visible on every ground, ${theme}`, () => {
    const contrasts = GROUNDS.map((name) => {
      const ground = getColor(name, theme)
      return [name, getContrast(getFaintest(getColor('skeleton', theme), ground), ground)] as const
    })
    const faint = contrasts.filter(([, contrast]) => !(contrast >= SKELETON_CONTRAST_MIN))
    assert.deepEqual(faint, [])
  })
}
