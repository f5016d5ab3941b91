// The output of commands. If it cannot be written, because its disk is full or its reader is gone, the command neither
// ends nor stops.

let lostCount = 0
let lostBy: string | undefined
let hasResult = false

/** Prints a line on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints a line for which the command was called: losing it is a failure of the command. */
export function printResult(line: string): void {
  hasResult = true
  print(line)
}

/** Prints a warning on standard error. */
export function warn(line: string): void {
  process.stderr.write(`portbook: ${line}\n`)
}

/**
 * Keeps a failed output from ending the process. A reader that closes its pipe early has read enough; any other loss is
 * counted, and reported once when the process exits.
 */
export function protectOutputs(): void {
  process.stdout.on('error', (error) => {
    const code = 'code' in error ? String(error.code) : error.message
    if (code === 'EPIPE') return
    lostCount += 1
    lostBy ??= code
  })
  process.stderr.on('error', () => undefined)
  process.on('exit', () => {
    if (lostBy === undefined) return
    warn(`${lostCount} writes to standard output failed (${lostBy})`)
    if (hasResult) process.exitCode = 1
  })
}

/** A server that is ready. */
export interface ReadyServer {
  url: string
  /** The absolute path of the data directory; undefined = the data are on a configured server. */
  dataDirectory: string | undefined
  /** The one-time link to create the first organization; undefined = an organization exists. */
  setupLink: string | undefined
  /** The people who can sign in to the demo, with their passwords; empty unless this is a demo. */
  signIns: readonly SignIn[]
}

/** A person who can sign in. */
interface SignIn {
  email: string
  password: string
  role: string
}

/**
 * Formats the output of a start: the address on a separate line and, on a terminal, instructions with the setup link or
 * the passwords of the demo. Without a terminal, the link is in the log and the passwords stay in their file.
 */
export function formatStart(server: ReadyServer, isTerminal: boolean): string {
  const address = `portbook listening on ${server.url}`
  if (!isTerminal) return address
  const data = server.dataDirectory === undefined ? [] : ['', `  Data: ${server.dataDirectory}`]
  return [address, ...data, ...formatInstructions(server)].join('\n')
}

function formatInstructions({ setupLink, signIns }: ReadyServer): string[] {
  if (signIns.length > 0) return ['', ...formatSignIns(signIns), '']
  if (setupLink === undefined) return []
  return [
    '',
    '  Open this link in your browser to create the first organization:',
    '',
    `  ${setupLink}`,
    '',
    '  It works once. Press Ctrl+C to stop Portbook.',
    '',
  ]
}

function formatSignIns(signIns: readonly SignIn[]): string[] {
  return [
    '  Open the address in your browser and sign in to the demo as one of:',
    '',
    ...signIns.flatMap(({ email, password, role }) => [
      `  ${role}`,
      `    ${email}`,
      `    ${password}`,
      '',
    ]),
    '  Press Ctrl+C to stop Portbook.',
  ]
}
