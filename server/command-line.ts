import { parseArgs } from 'node:util'
import { nearestName } from '../formats/shape/nearest.ts'

// The command line as data: commands are declared (command-table.ts), and usage, help and parsing follow from that.

/** A name with its meaning, as a line of a help text. */
export interface HelpRow {
  name: string
  meaning: string
}

/** A command: its texts for `--help`, and what its command line may contain. */
export interface Command<Name extends string = string> {
  name: Name
  /** One line, in the list of commands. */
  summary: string
  /** Complete sentences; each text is a paragraph. */
  description: readonly string[]
  /** The only operand; undefined = none. */
  operand?: HelpRow
  /** Switches without values. */
  options?: readonly HelpRow[]
  /** The environment variables that matter for it. */
  settings: readonly HelpRow[]
  /** The meaning of the exit code 0, and of 1. */
  exitCodes: readonly [string, string]
  /** The words after the program's name. */
  example: string
}

/** The request of a command line. */
export type Parsed<Name extends string = string> =
  | { kind: 'help'; command: Command<Name> | undefined }
  | { kind: 'version' }
  | { kind: 'run'; command: Command<Name>; operand: string; options: ReadonlySet<string> }
  | Mistake

/** A mistyped command line, with a message for the user. */
interface Mistake {
  kind: 'mistake'
  message: string
}

const LINE_CHARS_MAX = 96
const HELP = 'help'
const FILES = 'DATABASE_URL and secrets may be in a file instead: NAME_FILE is its path.'

/**
 * Parses the words after the program's name. Without a command, it is the first of the list. `program` is the program's
 * name for messages, such as `npx portbook`.
 */
export function parseCommandLine<Name extends string>(
  parameters: readonly string[],
  commands: readonly Command<Name>[],
  program: string,
): Parsed<Name> {
  const { tokens } = parseArgs({
    args: [...parameters],
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const switches = tokens.filter((token) => token.kind === 'option')
  const isHelp = words[0] === HELP || switches.some(({ name }) => name === 'help')
  if (switches.some(({ name }) => name === 'version')) return { kind: 'version' }
  const [given, ...operands] = words[0] === HELP ? words.slice(1) : words
  if (given === undefined && isHelp) return { kind: 'help', command: undefined }
  const command = given === undefined ? commands[0] : commands.find(({ name }) => name === given)
  if (command === undefined) return rejectCommand(given ?? '', commands, program)
  if (isHelp) return { kind: 'help', command }
  const [operand = '', ...rest] = operands
  const wanted = command.operand === undefined ? 0 : 1
  for (const { name, rawName, value } of switches) {
    const isKnown = command.options?.some((option) => option.name === name) === true
    if (!isKnown || value !== undefined) return rejectOption(rawName, command, program)
  }
  if (operands.length < wanted) {
    return mistake(`${command.name} needs ${command.operand?.name}.`, command, program)
  }
  if (operands.length > wanted) {
    const extra = wanted === 0 ? operand : (rest[0] ?? '')
    return mistake(`Unexpected operand "${extra}" of ${command.name}.`, command, program)
  }
  return { kind: 'run', command, operand, options: new Set(switches.map(({ name }) => name)) }
}

/** Formats the help of the program: the list of its commands. */
export function formatUsage(commands: readonly Command[], program: string): string {
  const [first] = commands
  return [
    `Usage: ${program} [<command>] [<options>]`,
    '',
    'Commands',
    ...formatRows(
      commands.map((command) => ({ name: formatSyntax(command), meaning: command.summary })),
    ),
    '',
    'Options',
    ...formatRows([
      { name: '-h, --help', meaning: 'prints this text, or describes a command' },
      { name: '--version', meaning: 'prints the version' },
    ]),
    '',
    ...wrap(
      `Without a command, ${first?.name} runs. Settings are environment variables: the help of each command lists those that it reads.`,
      LINE_CHARS_MAX,
    ),
  ].join('\n')
}

/** Formats the help of a command. */
export function formatHelp(command: Command, program: string): string {
  const options = [...(command.options ?? []), { name: '-h, --help', meaning: 'prints this text' }]
  const [done, failed] = command.exitCodes
  const codes = [
    { name: '0', meaning: done },
    { name: '1', meaning: failed },
    { name: '2', meaning: 'the command line is wrong' },
  ]
  return [
    `Usage: ${program} ${formatSyntax(command)}`,
    ...command.description.flatMap((paragraph) => ['', ...wrap(paragraph, LINE_CHARS_MAX)]),
    ...formatSection('Operand', command.operand === undefined ? [] : [command.operand]),
    ...formatSection('Options', options.map(withDashes)),
    ...formatSection('Settings (environment variables)', command.settings),
    ...(command.settings.length === 0 ? [] : wrap(`  ${FILES}`, LINE_CHARS_MAX)),
    ...formatSection('Exit codes', codes),
    '',
    'Example',
    `  ${program} ${command.example}`,
  ].join('\n')
}

function rejectCommand(name: string, commands: readonly Command[], program: string): Mistake {
  const nearest = nearestName(name, [...commands.map((command) => command.name), HELP])
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return {
    kind: 'mistake',
    message: `Unknown command "${name}".${hint} "${program} --help" lists the commands.`,
  }
}

function rejectOption(rawName: string, command: Command, program: string): Mistake {
  const names = [...(command.options ?? []).map(({ name }) => name), 'help', 'version']
  const nearest = nearestName(rawName.replace(/^-+/, ''), names)
  const hint = nearest === undefined ? '' : ` Did you mean "--${nearest}"?`
  return mistake(`Unknown option "${rawName}" of ${command.name}.${hint}`, command, program)
}

function mistake(problem: string, command: Command, program: string): Mistake {
  const usage = `Usage: ${program} ${formatSyntax(command)}`
  return {
    kind: 'mistake',
    message: `${problem} ${usage} ("${program} ${command.name} --help" explains it)`,
  }
}

function formatSyntax({ name, operand, options = [] }: Command): string {
  const switches = options.map((option) => `[--${option.name}]`)
  return [name, ...switches, ...(operand === undefined ? [] : [operand.name])].join(' ')
}

function withDashes({ name, meaning }: HelpRow): HelpRow {
  return { name: name.startsWith('-') ? name : `--${name}`, meaning }
}

function formatSection(title: string, rows: readonly HelpRow[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...formatRows(rows)]
}

/** Formats a table with two columns. */
function formatRows(rows: readonly HelpRow[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 4)
  return rows.flatMap(({ name, meaning }) => {
    const [first, ...rest] = wrap(meaning, LINE_CHARS_MAX - indent.length)
    return [`  ${name.padEnd(width)}  ${first ?? ''}`, ...rest.map((line) => indent + line)]
  })
}

/** Splits a text into lines at its spaces. */
function wrap(text: string, charsMax: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > charsMax) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
