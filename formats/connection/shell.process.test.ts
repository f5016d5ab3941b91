// What people paste into a terminal runs one program with the words that were meant, also with hostile names.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { createInput, createModel, hostileInput } from '../../test/connections.ts'
import { describeConnection, type ConnectionInput } from './connection.ts'
import { PLATFORM_RULES } from './platforms.ts'

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/dash']

// Prints its words and what it reads, each with a zero byte at its end. It is the only program that can be found.
const STUB = '#!/bin/sh\nprintf "%s\\0" "program:${0##*/}" "$@"\n'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'portbook-shell-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'work'))
  const programs = Object.values(PLATFORM_RULES).flatMap(({ rules }) =>
    rules.flatMap(({ tool, language }) => (language === 'shell' ? [tool] : [])),
  )
  for (const program of [...programs, 'touch', 'rm', 'x', 'cat']) {
    const file = join(folder, 'bin', program)
    writeFileSync(file, STUB)
    chmodSync(file, 0o755)
  }
})
after(() => rmSync(folder, { recursive: true, force: true }))

function run(shell: string, command: string): string[] {
  const work = join(folder, 'work')
  const environment = { PATH: join(folder, 'bin'), HOME: work }
  const { stdout, stderr, status, error } = spawnSync(shell, ['-c', command], {
    cwd: work,
    env: environment,
    encoding: 'utf8',
  })
  assert.equal(error, undefined)
  assert.deepEqual([status, stderr], [0, ''], `${shell}: ${command}`)
  assert.deepEqual(readdirSync(work), [], `a file was created by ${command}`)
  return stdout.split('\0').slice(0, -1)
}

function checkCommands(input: ConnectionInput): number {
  const { snippets, statement } = describeConnection(input)
  const commands = snippets.filter(({ language }) => language === 'shell')
  for (const { tool, text } of commands) {
    for (const shell of SHELLS) {
      const [program, ...words] = run(shell, text)
      assert.equal(program, `program:${tool}`)
      assert.ok(
        words.every((word) => !word.startsWith('program:')),
        text,
      )
      const line = statement?.replaceAll(/\n */g, ' ').replace(/;$/, '')
      const isQuery = !['clpplus', 'sqlplus', 'curl', 'kcat', 'sftp'].includes(tool)
      const hasQuery = words.some((word) => {
        return [statement, line].some((query) => query !== undefined && word.endsWith(query))
      })
      assert.equal(hasQuery, isQuery, text)
    }
  }
  return commands.length
}

test('a command with hostile names runs its own program with one statement', () => {
  let count = 0
  for (const type of Object.keys(PLATFORM_RULES)) {
    const inputs = fc.sample(hostileInput(type), { numRuns: 8, seed: 11 })
    for (const input of inputs) count += checkCommands(input)
  }
  assert.ok(count > 50, `${count} commands`)
})

test('a location with hostile characters is one word', () => {
  for (const rest of [
    "a'b",
    '$(touch$IFS/pwned)',
    '`touch`',
    ';x',
    '{a,b}',
    '[1-9]',
    '*',
    '!x',
    '"',
  ]) {
    const input = createInput('api', { location: `https://api.example.com/${rest}` })
    assert.equal(checkCommands(input), 1)
    const [command] = describeConnection(input).snippets
    assert.ok(run('/bin/sh', command?.text ?? '').includes(`https://api.example.com/${rest}`))
    assert.equal(checkCommands(createInput('sftp', { location: `sftp://a.example/${rest}/x` })), 1)
  }
})

test('text for Python is parsed as one statement with the names that were meant', () => {
  const texts = Object.keys(PLATFORM_RULES).flatMap((type) =>
    fc
      .sample(hostileInput(type), { numRuns: 4, seed: 3 })
      .flatMap((input) =>
        describeConnection(input).snippets.filter(({ language }) => language === 'python'),
      ),
  )
  const model = createModel('t', ['a"b', "c'd", 'e\\f'])
  texts.push(...describeConnection({ ...createInput('spark'), model }).snippets)
  const program = [
    'import ast, json, sys',
    'calls = {"sql", "Consumer", "get", "load", "parquet", "csv", "json", "show", "config", "getOrCreate",',
    '  "subscribe", "consume", "print", "key", "value", "raise_for_status", "filesystem", "register_filesystem",',
    '  "option", "format"}',
    'for text in json.load(sys.stdin):',
    '  for node in ast.walk(ast.parse(text)):',
    '    if isinstance(node, ast.Call):',
    '      name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id',
    '      assert name in calls, text',
  ].join('\n')
  assert.ok(texts.length > 20)
  const input = JSON.stringify(texts.map(({ text }) => text))
  const { status, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
})
