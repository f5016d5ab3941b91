import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTracingSettings } from './tracing-settings.ts'

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

function read(environment: NodeJS.ProcessEnv): ReturnType<typeof readTracingSettings> {
  const problems: string[] = []
  const settings = readTracingSettings(environment, problems)
  assert.deepEqual(problems, [])
  return settings
}

function listProblems(environment: NodeJS.ProcessEnv): string[] {
  const problems: string[] = []
  readTracingSettings({ ...COLLECTOR, ...environment }, problems)
  return problems
}

test('readTracingSettings › records nothing without a collector, even if other settings are invalid', () => {
  assert.equal(read({}), undefined)
  assert.equal(
    read({ OTEL_TRACES_SAMPLER: 'unknown', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
    undefined,
  )
  assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }), undefined)
})

test('readTracingSettings › records nothing if the SDK is disabled or the exporter is none', () => {
  assert.equal(read({ ...COLLECTOR, OTEL_SDK_DISABLED: 'TRUE' }), undefined)
  assert.equal(read({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' }), undefined)
  assert.notEqual(read({ ...COLLECTOR, OTEL_SDK_DISABLED: 'false' }), undefined)
})

test('readTracingSettings › adds the path of traces to the general endpoint only', () => {
  assert.equal(read(COLLECTOR)?.url, 'http://collector:4318/v1/traces')
  const behindPath = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/otlp/?token=1' }
  assert.equal(read(behindPath)?.url, 'https://collector/otlp/v1/traces?token=1')
  const own = { ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/receive' }
  assert.equal(read(own)?.url, 'https://traces/receive')
})

test('readTracingSettings › follows the parent and takes every other trace by default', () => {
  const settings = read(COLLECTOR)
  assert.equal(settings?.sampler, 'parentbased_always_on')
  assert.equal(settings?.readsParent, true)
  assert.deepEqual(settings?.batches, {})
})

test('readTracingSettings › reads the sampler, the propagators and the limits of the queue', () => {
  const settings = read({
    ...COLLECTOR,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_PROPAGATORS: 'none',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_SCHEDULE_DELAY: '250',
  })
  assert.equal(settings?.sampler, 'parentbased_traceidratio')
  assert.equal(settings?.ratio, 0.25)
  assert.equal(settings?.readsParent, false)
  assert.deepEqual(settings?.batches, { maxQueueSize: 100, scheduledDelayMillis: 250 })
  assert.equal(read({ ...COLLECTOR, OTEL_PROPAGATORS: 'baggage, tracecontext' })?.readsParent, true)
})

for (const [name, value, problem] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /must be an http or https URL, such as http:/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector', /must be an http or https URL/],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be http\/protobuf, or absent/],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json', /must be http\/protobuf, or absent/],
  ['OTEL_TRACES_EXPORTER', 'zipkin', /must be otlp, or absent/],
  ['OTEL_TRACES_SAMPLER', 'sometimes', /must be one of always_on, .*, or absent/],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', /must be a number from 0 to 1/],
  ['OTEL_TRACES_SAMPLER_ARG', 'half', /must be a number from 0 to 1/],
  ['OTEL_BSP_MAX_QUEUE_SIZE', '-1', /must be a whole number, at least 1/],
  ['OTEL_BSP_SCHEDULE_DELAY', '1s', /must be a whole number, at least 1/],
] as const) {
  test(`readTracingSettings › rejects ${name} ${value}`, () => {
    const [found = '', ...others] = listProblems({ [name]: value })
    assert.match(found, problem)
    assert.ok(found.startsWith(`${name} `))
    assert.deepEqual(others, [])
  })
}
