// The settings of traces. Their names and meanings are those of every program with OpenTelemetry:
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/

/** The samplers of OpenTelemetry. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The settings of traces. The exporter itself reads the others: headers, certificates, compression, timeouts. */
export interface TracingSettings {
  /** The address that spans are sent to. */
  url: string
  sampler: (typeof SAMPLERS)[number]
  /** The share of the traces that a sampler with a ratio takes, 0 to 1. */
  ratio: number
  /** Whether a request may belong to a trace that its client began. */
  readsParent: boolean
  /** The limits of the queue; undefined = the defaults of the SDK. */
  batches: Partial<Record<(typeof BATCH_SETTINGS)[number][0], number>>
}

/** The options of the SDK's queue, and their settings. */
const BATCH_SETTINGS = [
  ['maxQueueSize', 'OTEL_BSP_MAX_QUEUE_SIZE'],
  ['scheduledDelayMillis', 'OTEL_BSP_SCHEDULE_DELAY'],
  ['exportTimeoutMillis', 'OTEL_BSP_EXPORT_TIMEOUT'],
  ['maxExportBatchSize', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'],
] as const

const PREFIX = 'OTEL_EXPORTER_OTLP_'
const GENERAL_ENDPOINT = `${PREFIX}ENDPOINT`
const TRACES_PATH = '/v1/traces'
const NUMBER = /^\d{1,9}$/

/**
 * Reads the settings of traces; undefined = none are recorded, which is the default. Adds what is wrong to `problems`;
 * without an endpoint nothing is, because other programs may use the same environment.
 */
export function readTracingSettings(
  environment: NodeJS.ProcessEnv,
  problems: string[],
): TracingSettings | undefined {
  const get = (name: string): string | undefined => environment[name]?.trim() || undefined
  const name = [`${PREFIX}TRACES_ENDPOINT`, GENERAL_ENDPOINT].find((one) => get(one))
  const isOff =
    get('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || get('OTEL_TRACES_EXPORTER') === 'none'
  if (name === undefined || isOff) return undefined
  const read = new SettingsReader(get, problems)
  const url = read.url(name)
  read.choice('OTEL_TRACES_EXPORTER', ['otlp'])
  read.choice(`${PREFIX}PROTOCOL`, ['http/protobuf'])
  read.choice(`${PREFIX}TRACES_PROTOCOL`, ['http/protobuf'])
  return {
    url,
    sampler: read.choice('OTEL_TRACES_SAMPLER', SAMPLERS) ?? 'parentbased_always_on',
    ratio: read.ratio('OTEL_TRACES_SAMPLER_ARG') ?? 1,
    readsParent:
      get('OTEL_PROPAGATORS')
        ?.split(/[\s,]+/)
        .includes('tracecontext') ?? true,
    batches: read.batches(),
  }
}

class SettingsReader {
  readonly #get: (name: string) => string | undefined
  readonly #problems: string[]

  constructor(get: (name: string) => string | undefined, problems: string[]) {
    this.#get = get
    this.#problems = problems
  }

  url(name: string): string {
    const value = this.#get(name) ?? ''
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      this.#problems.push(`${name} must be an http or https URL, such as http://collector:4318`)
      return ''
    }
    // The general endpoint gets the path of each signal, the one of traces is complete.
    if (name === GENERAL_ENDPOINT) url.pathname = url.pathname.replace(/\/?$/, TRACES_PATH)
    return url.href
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#get(name)
    if (value === undefined) return undefined
    const found = choices.find((choice) => choice === value)
    if (found !== undefined) return found
    const [only] = choices
    const allowed = choices.length === 1 ? only : `one of ${choices.join(', ')}`
    this.#problems.push(`${name} must be ${allowed}, or absent`)
    return undefined
  }

  ratio(name: string): number | undefined {
    const value = this.#get(name)
    if (value === undefined) return undefined
    const number = Number(value)
    if (number >= 0 && number <= 1) return number
    this.#problems.push(`${name} must be a number from 0 to 1`)
    return undefined
  }

  batches(): TracingSettings['batches'] {
    const batches: TracingSettings['batches'] = {}
    for (const [option, name] of BATCH_SETTINGS) {
      const value = this.#get(name)
      if (value === undefined) continue
      if (NUMBER.test(value) && Number(value) > 0) batches[option] = Number(value)
      else this.#problems.push(`${name} must be a whole number, at least 1`)
    }
    return batches
  }
}
