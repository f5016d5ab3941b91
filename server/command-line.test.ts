import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { formatHelp, formatUsage, parseCommandLine, type Parsed } from './command-line.ts'
import { COMMANDS, type CommandName } from './command-table.ts'

const PROGRAM = 'npx portbook'
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

function parse(line: string): Parsed<CommandName> {
  return parseCommandLine(line === '' ? [] : line.split(' '), COMMANDS, PROGRAM)
}

function readMessage(line: string): string {
  const parsed = parse(line)
  assert.equal(parsed.kind, 'mistake', line)
  return parsed.kind === 'mistake' ? parsed.message : ''
}

test('parseCommandLine › runs what it is given, by default serve', () => {
  for (const [line, name, operand, options] of [
    ['', 'serve', '', []],
    ['--demo', 'serve', '', ['demo']],
    ['serve --demo', 'serve', '', ['demo']],
    ['--demo work', 'work', '', ['demo']],
    ['backup /tmp/b', 'backup', '/tmp/b', []],
    ['export -- -odd', 'export', '-odd', []],
  ] as const) {
    const parsed = parse(line)
    assert.equal(parsed.kind, 'run', line)
    if (parsed.kind !== 'run') continue
    assert.deepEqual(
      [parsed.command.name, parsed.operand, [...parsed.options]],
      [name, operand, options],
    )
  }
})

test('parseCommandLine › describes the program or a command, also with wrong operands', () => {
  for (const line of ['--help', '-h', 'help']) {
    assert.deepEqual(parse(line), { kind: 'help', command: undefined })
  }
  for (const line of [
    'backup --help',
    'help backup',
    '--help backup',
    'backup -h',
    'backup a b -h',
  ]) {
    const parsed = parse(line)
    assert.equal(parsed.kind === 'help' && parsed.command?.name, 'backup', line)
  }
  assert.equal(parse('--version').kind, 'version')
})

test('parseCommandLine › suggests the nearest command and option', () => {
  assert.match(readMessage('bakup /tmp'), /^Unknown command "bakup"\. Did you mean "backup"\? /)
  assert.match(readMessage('bakup --help'), /Did you mean "backup"/)
  assert.match(readMessage('xyz'), /^Unknown command "xyz"\. "npx portbook --help" lists/)
  assert.match(
    readMessage('serve --dmo'),
    /^Unknown option "--dmo" of serve\. Did you mean "--demo"\?/,
  )
  assert.match(readMessage('verify --demo'), /^Unknown option "--demo" of verify\. Usage: /)
  assert.match(readMessage('--demo=yes'), /^Unknown option "--demo" of serve/)
  assert.match(readMessage('constructor'), /^Unknown command/)
})

test('parseCommandLine › rejects missing and additional operands', () => {
  assert.equal(
    readMessage('backup'),
    'backup needs <folder>. Usage: npx portbook backup <folder> ("npx portbook backup --help" explains it)',
  )
  assert.match(readMessage('backup a b'), /^Unexpected operand "b" of backup\./)
  assert.match(readMessage('verify now'), /^Unexpected operand "now" of verify\./)
})

test('the usage lists every command', () => {
  const usage = formatUsage(COMMANDS, PROGRAM)
  assert.match(usage, /^Usage: npx portbook /)
  for (const { name } of COMMANDS) assert.match(usage, new RegExp(`^  ${name}\\b`, 'm'))
})

test('the help of a command has its operands, settings, exit codes and an example that parses', () => {
  for (const command of COMMANDS) {
    const help = formatHelp(command, PROGRAM)
    for (const text of [
      'Exit codes',
      'Example',
      ...command.description.map((one) => one.slice(0, 40)),
    ]) {
      assert.ok(help.includes(text), `${command.name}: ${text}`)
    }
    assert.ok(
      help.split('\n').every((line) => line.length <= 96 || !line.includes('  ')),
      help,
    )
    const parsed = parse(command.example)
    assert.equal(parsed.kind === 'run' && parsed.command.name, command.name)
  }
})

test('the help names only settings that the README has', () => {
  for (const { settings } of COMMANDS) {
    for (const { name } of settings) {
      for (const one of name.split(', ')) assert.ok(README.includes(`\`${one}\``), one)
    }
  }
})
