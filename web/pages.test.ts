import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { pages } from './pages.ts'
import { paths } from './paths.ts'

const lists = await Promise.all(
  globSync('pages/*/pages.ts', { cwd: import.meta.dirname }).map(
    async (file) => (await import(`./${file}`)).pages,
  ),
)

describe('the pages', () => {
  test('are all in the list', () => {
    for (const page of lists.flat()) assert.ok(pages.includes(page), page.path)
    const files = globSync('{pages.ts,pages/*/pages.ts}', { cwd: import.meta.dirname })
    const named = files.flatMap((list) =>
      readFileSync(join(import.meta.dirname, list), 'utf8')
        .matchAll(/import\('([^']+)'\)/g)
        .map(([, file = '']) => join(dirname(list), file))
        .toArray(),
    )
    assert.deepEqual(
      new Set(named),
      new Set(globSync('pages/*/{page,*-page}.tsx', { cwd: import.meta.dirname })),
    )
  })

  test('have different addresses and titles', () => {
    for (const name of ['path', 'title'] as const) {
      const values = pages.map((page) => page[name])
      assert.deepEqual(values, [...new Set(values)])
    }
  })

  test('have code or redirect to another page', () => {
    for (const { path, load, redirect } of pages) {
      assert.equal(load === undefined, redirect !== undefined, path)
    }
  })

  test('have no variables if they are in the navigation or the palette', () => {
    for (const { path, icon, group } of pages) {
      if (icon !== undefined) assert.doesNotMatch(path, /\$/)
      if (group !== undefined) assert.ok(icon, path)
    }
  })

  test('are the targets of all links', () => {
    for (const [name, build] of Object.entries(paths)) {
      const link = typeof build === 'string' ? build : build('ci' as never, 'id' as never)
      assert.ok(
        pages.some(({ path }) => matchesLink(path, link)),
        name,
      )
    }
  })
})

function matchesLink(path: string, link: string): boolean {
  const pattern = path.replaceAll(/\$\w+/g, '[^/]+')
  return new RegExp(`^${pattern}(\\?|$)`).test(link)
}
