import { Monitor, Moon, Sun } from 'lucide-react'

/** The theme: that of the system, or the chosen one. */
export type Theme = 'system' | 'light' | 'dark'

/** The themes with their titles and icons. */
export const THEMES = [
  { theme: 'system', title: 'System', icon: Monitor },
  { theme: 'light', title: 'Light', icon: Sun },
  { theme: 'dark', title: 'Dark', icon: Moon },
] as const

const KEY = 'portbook-theme'

/** The appearance that was chosen in this browser. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Shows the pages in an appearance, from now on in this browser. `public/theme.js` reads it first. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Then it holds until the page is left.
  }
}
