/** Helpers that check the status of a response and read its body. */

import assert from 'node:assert/strict'

/** Checks the status of a response; returns its text. */
export async function readText(answer: Promise<Response>, status = 200): Promise<string> {
  const response = await answer
  const text = await response.text()
  assert.equal(response.status, status, text)
  return text
}

/** Checks the status of a response; returns its JSON. */
export async function readJson<T>(answer: Promise<Response>, status = 200): Promise<T> {
  return JSON.parse(await readText(answer, status)) as T
}

/** A problem response. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code?: string
  violations?: { field: string; message: string; line?: number; column?: number }[]
  uses?: { kind: string; id: string; name: string; port?: string; relation: string }[]
  useCount?: number
  hiddenUseCount?: number
  advice?: string
  readers?: { kind: string; id: string; name: string; relation: string }[]
}

/** Checks that a response is a problem with this status; returns the problem. */
export async function expectProblem(
  answer: Response | Promise<Response>,
  status: number,
  detail?: RegExp,
): Promise<Problem> {
  const response = await answer
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  const problem = JSON.parse(text) as Problem
  assert.equal(problem.status, status)
  if (detail !== undefined) assert.match(problem.detail, detail)
  return problem
}

/** Checks that a response is a problem with this status, and that these fields are violated, in this order. */
export async function expectViolations(
  answer: Response | Promise<Response>,
  status: number,
  fields: readonly string[],
): Promise<void> {
  const { violations = [] } = await expectProblem(answer, status)
  assert.deepEqual(
    violations.map(({ field }) => field),
    fields,
  )
}
