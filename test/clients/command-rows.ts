/** A table of commands of a client with their expectations, and the check of one row. */

import assert from 'node:assert/strict'
import type { CallerName, World } from '../world.ts'
import type { CommandProcess, CommandResult } from './client.ts'

/** A command and its expectations. Texts may contain `$name`, a value of an earlier row or `$url`. */
export interface CommandRow {
  /** The name of the command: `teams notifications put`. */
  readonly command: string
  readonly args?: readonly string[]
  /** The document for `--file -`. */
  readonly input?: unknown
  /** The caller whose key is used; the organization's key by default. */
  readonly caller?: CallerName
  /** Patterns of the standard output, which ignores differences of spaces. */
  readonly prints?: readonly (RegExp | string)[]
  /** Values for later rows: the first group of each pattern, found in the standard output. */
  readonly keeps?: Readonly<Record<string, RegExp>>
  /** A path of the API, and the status or a part of the JSON that it answers after the command. */
  readonly shows?: readonly [path: string, expected: number | object]
  /** The exit code, and a pattern of the standard error, if the command must fail. */
  readonly fails?: readonly [exitCode: number, reason: RegExp]
  /** The part of the API that a later version brings; until then, the command fails with 404. */
  readonly later?: string
}

/** The state of a table while its rows run. */
export interface RowContext {
  readonly world: World
  readonly url: string
  readonly values: Map<string, string>
}

const ABSENT = [1, /HTTP 404 from .*: Unknown address/] as const

/** Runs the command of a row and checks its expectations. */
export async function checkRow(
  commands: CommandProcess,
  context: RowContext,
  row: CommandRow,
): Promise<void> {
  const { world, values } = context
  const key = world.keys[row.caller ?? 'O'] ?? ''
  const args = (row.args ?? []).map((arg) => insertValues(context, arg))
  const input = row.input === undefined ? [] : ['--file', '-']
  const result = await commands.run([...row.command.split(' '), ...args, ...input], {
    input: row.input === undefined ? '' : JSON.stringify(row.input),
    environment: { ENTROPY_DATA_API_KEY: key },
  })
  const failure = row.later === undefined ? row.fails : ABSENT
  checkEnd(result, failure)
  if (row.later !== undefined) return
  const output = result.stdout.replaceAll(/\s+/g, ' ')
  for (const pattern of row.prints ?? []) {
    if (typeof pattern !== 'string') assert.match(output, pattern)
    else assert.ok(output.includes(insertValues(context, pattern)), `${pattern} in ${output}`)
  }
  for (const [name, pattern] of Object.entries(row.keeps ?? {})) {
    const value = pattern.exec(output)?.[1]
    assert.ok(value !== undefined, `${pattern} in ${output}`)
    values.set(name, value)
  }
  if (row.shows !== undefined) {
    const [path, expected] = row.shows
    await checkAnswer(context, path, expected, `${result.stdout}\n${result.stderr}`)
  }
}

/** Checks an exit code: 0, or a failure with a reason. */
export function checkEnd(
  { exitCode, stdout, stderr }: CommandResult,
  failure?: readonly [exitCode: number, reason: RegExp],
): void {
  const [expected, reason] = failure ?? [0, /^/]
  assert.equal(exitCode, expected, `${stdout}\n${stderr}`)
  assert.match(`${stdout}\n${stderr}`.replaceAll(/\s+/g, ' '), reason)
}

async function checkAnswer(
  context: RowContext,
  path: string,
  expected: number | object,
  output: string,
): Promise<void> {
  const answer = await context.world.as('O', 'GET', insertValues(context, path))
  const body = await answer.text()
  const message = `${path} answers ${answer.status}: ${body}\n${output}`
  assert.equal(answer.status, typeof expected === 'number' ? expected : 200, message)
  if (typeof expected === 'object') assertHas(JSON.parse(body), expected, message)
}

/** Asserts that an answer has the expected members. A list must have exactly the expected items, in their order. */
export function assertHas(actual: unknown, expected: object, message: string): void {
  // Without this, an empty list would be part of every list.
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), message)
    assert.equal(actual.length, expected.length, message)
  }
  assert.partialDeepStrictEqual(actual, expected, message)
}

function insertValues({ values, url }: RowContext, text: string): string {
  return text.replaceAll(/\$([a-z]\w*)/gi, (whole, name: string) =>
    name === 'url' ? url : (values.get(name) ?? whole),
  )
}
