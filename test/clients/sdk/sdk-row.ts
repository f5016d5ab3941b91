/** A call of a method of the Python SDK with its expectations, and the process that makes the calls. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { CallerName } from '../../world.ts'
import { newLineProcess, spawnPeer } from '../client.ts'
import { assertHas, type RowContext } from '../command-rows.ts'

/** A call. Texts may contain `$name`, a value of an earlier row. */
export interface SdkRow {
  /** The group and the method: `teams.get`. */
  readonly call: string
  readonly args?: readonly unknown[]
  /** The keyword arguments. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly caller?: CallerName
  /** The result or a part of it; a list has exactly these items. */
  readonly gives?: unknown
  /** Parts of some items of the resulting list. */
  readonly includes?: readonly object[]
  /** A value for later rows, by the path of a member of the result. */
  readonly keeps?: Readonly<Record<string, readonly (string | number)[]>>
  /** The status and the code, if the call must fail; of SCIM, the `scimType` or an empty text. */
  readonly fails?: readonly [status: number, code: string]
  /** The part of the API that a later version brings; until then, the address or its method is unknown. */
  readonly later?: string
}

/** An answer of the process: the result as JSON, or the failure. */
export interface SdkAnswer {
  readonly value?: unknown
  readonly status?: number
  readonly body?: string
  readonly error?: string
}

/** A process with the SDK. */
export interface SdkProcess {
  call(request: object): Promise<SdkAnswer>
  listCalls(): Promise<string[]>
  /** Returns a document of each model, made of the examples that the model declares. */
  makeExamples(models: readonly string[]): Promise<Record<string, Record<string, unknown>>>
  /** Returns the names of the members of each model, with those of their models. */
  listMembers(models: readonly string[]): Promise<Record<string, MemberTree>>
  /** Returns the values of each enum (`TeamType`), or the examples of each field (`Team.name`). */
  listValues(names: readonly string[]): Promise<Record<string, string[]>>
  /** Runs the synchronizer of the SDK on an asset; returns the methods of the requests that write. */
  synchronize(key: string, asset: object): Promise<string[]>
  /** Runs the event listener of the SDK until the end of the feed; returns the names of the new events. */
  listen(key: string): Promise<string[]>
  close(): void
}

/** The members of a model by name; empty = no model. */
export interface MemberTree {
  [name: string]: MemberTree
}

const RUN_SDK = join(import.meta.dirname, '../run_sdk.py')

/** Starts a process whose clients call an address. */
export function startSdk(url: string): SdkProcess {
  const { ask, close } = newLineProcess(spawnPeer('entropy-data-sdk', 'python', [RUN_SDK, url], {}))
  return {
    call: async (request) => (await ask(request)) as SdkAnswer,
    listCalls: async () => (await ask({ list: true })) as string[],
    makeExamples: async (models) =>
      (await ask({ examples: models })) as Record<string, Record<string, unknown>>,
    listMembers: async (models) => (await ask({ members: models })) as Record<string, MemberTree>,
    listValues: async (names) => (await ask({ values: names })) as Record<string, string[]>,
    synchronize: async (key, asset) => (await ask({ key, asset })) as string[],
    listen: async (key) => (await ask({ key, listen: true })) as string[],
    close,
  }
}

/** Makes the call of a row and checks its expectations. */
export async function checkSdkRow(
  sdk: SdkProcess,
  { world, values }: RowContext,
  row: SdkRow,
): Promise<void> {
  const insert = (part: unknown): unknown =>
    JSON.parse(
      JSON.stringify(part ?? null).replaceAll(/\$([a-z]\w*)/gi, (whole, name: string) =>
        JSON.stringify(values.get(name) ?? whole).slice(1, -1),
      ),
    )
  const { call, caller = 'O', args = [], options = {} } = row
  const answer = await sdk.call({
    key: world.keys[caller],
    call,
    args: row.later === undefined ? insert(args) : (row.args ?? null),
    options: insert(options),
  })
  const message = `${call}: ${JSON.stringify(answer).slice(0, 2000)}`
  if (row.later !== undefined) {
    const code = getCode(answer)
    // The address of a resource exists, and a later version adds a method.
    assert.ok(code === 'unknown_address' || code === 'method_not_allowed', message)
    assert.equal(answer.status, code === 'unknown_address' ? 404 : 405, message)
    return
  }
  if (row.fails !== undefined) {
    assert.deepEqual([answer.status, getCode(answer)], row.fails, message)
    return
  }
  assert.ok('value' in answer, message)
  if (row.gives !== undefined) checkValue(answer.value, insert(row.gives), message)
  for (const item of row.includes ?? []) {
    const items = answer.value as unknown[]
    assert.ok(
      items.some((one) => hasParts(one, insert(item))),
      message,
    )
  }
  for (const [name, path] of Object.entries(row.keeps ?? {})) {
    const value = path.reduce<unknown>(
      (part, step) => (part as Record<string | number, unknown>)[step],
      answer.value,
    )
    values.set(name, String(value))
  }
}

function getCode({ body }: SdkAnswer): string | undefined {
  if (body === undefined) return undefined
  // An error of SCIM has another form.
  const { code, scimType } = JSON.parse(body) as { code?: string; scimType?: string }
  return code ?? scimType ?? ''
}

function checkValue(actual: unknown, expected: unknown, message: string): void {
  if (typeof expected === 'object' && expected !== null) assertHas(actual, expected, message)
  else assert.equal(actual, expected, message)
}

function hasParts(actual: unknown, expected: unknown): boolean {
  try {
    assert.partialDeepStrictEqual(actual, expected)
    return true
  } catch {
    return false
  }
}
