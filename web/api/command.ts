// What `npm run dev` serves, which replaces no part of the document.
const UNREPLACED = '__COMMAND__'

/** Returns how the operator runs a command of Portbook, as the server was started: `npx portbook verify`. */
export function formatCommand(words: string): string {
  const program = document.querySelector('meta[name=command]')?.getAttribute('content')
  return `${!program || program === UNREPLACED ? 'portbook' : program} ${words}`
}
