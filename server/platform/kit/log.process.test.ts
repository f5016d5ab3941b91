import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** Runs a program that has opened `log`, and returns what it wrote to standard error. */
function logged(level: string, program: string): Record<string, unknown>[] {
  const script = `
    import { openLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)}
    const { log, flush } = openLog(${JSON.stringify(level)})
    ${program}
    flush()`
  const { stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  assert.equal(stdout, '')
  return stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('openLog › writes lines of JSON with level, time and fields, without details of the machine', () => {
  const [line, ...others] = logged(
    'info',
    `log.debug('hidden'); log.info({ a: 'x\\ny' }, 'logged')`,
  )
  assert.deepEqual(others, [])
  const { time, ...rest } = line ?? {}
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(rest, { level: 'info', a: 'x\ny', msg: 'logged' })
})

test('openLog › silent writes nothing', () => {
  assert.deepEqual(logged('silent', `log.fatal('x')`), [])
})

test('openLog › logs the type, message, code, stack and cause of an error, and no other properties', () => {
  const program = `
    class DatabaseError extends Error {}
    const cause = Object.assign(new DatabaseError('violates a constraint'), {
      code: '23514',
      detail: 'Failing row contains (canary)',
      where: 'canary',
      parameters: ['canary'],
    })
    log.error({ err: new Error('a request failed', { cause }) }, 'failed')`
  const [line] = logged('info', program)
  const err = line?.['err'] as Record<string, unknown>
  assert.equal(err['type'], 'Error')
  assert.match(String(err['message']), /a request failed.*violates a constraint/)
  assert.match(String(err['stack']), /a request failed[^]*caused by: .*violates a constraint/)
  assert.ok(!JSON.stringify(line).includes('canary'))
  const [direct] = logged(
    'info',
    program.replace("new Error('a request failed', { cause })", 'cause'),
  )
  assert.equal((direct?.['err'] as { code?: string } | undefined)?.code, '23514')
  assert.ok(!JSON.stringify(direct).includes('canary'))
})
