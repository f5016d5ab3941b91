import assert from 'node:assert/strict'

/** Asks again and again until it is so; fails when it is not so within the time. */
export async function eventually(
  limitMs: number,
  isSo: () => Promise<boolean>,
  message: string,
): Promise<void> {
  const deadlineMs = performance.now() + limitMs
  while (performance.now() < deadlineMs) if (await isSo()) return
  assert.fail(`${message} within ${limitMs} ms`)
}
