/** What a test reads of an answer, after its status held. */

import assert from 'node:assert/strict'

/** Fails unless the answer has the status; gives its text. */
export async function textOf(answer: Promise<Response>, status = 200): Promise<string> {
  const response = await answer
  const text = await response.text()
  assert.equal(response.status, status, text)
  return text
}

/** Fails unless the answer has the status; gives its JSON. */
export async function jsonOf<T>(answer: Promise<Response>, status = 200): Promise<T> {
  return JSON.parse(await textOf(answer, status)) as T
}

/** A refusal as it comes over the wire. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code?: string
  violations?: { field: string; message: string; line?: number; column?: number }[]
}

/** Fails unless the answer is a problem of this status; gives the problem. */
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
