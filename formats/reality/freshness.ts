// What a contract promises about the age of its data: at most so old, or new data at the times of a schedule. The
// promise is in the service levels of ODCS and DCS, or in a custom property `freshness`.

import type { Model } from '../schema/model.ts'
import { clip, asText } from '../text/value.ts'
import type { DataContract, ServiceLevel } from '../data-contract/data-contract.ts'
import { readMeasure } from '../diff/duration.ts'
import {
  createCron,
  findCronProblem,
  findTimeZoneProblem,
  TIME_ZONE_USUAL,
} from '../schedule/cron.ts'

/** A part of a contract that promises freshness. */
interface PromiseSource {
  /** The name of the service level: `freshness`. */
  property: string
  /** Its value as people read it: `24 h`. */
  text: string
  /** A JSON pointer into the document. */
  origin: string
}

/** Data that is at most `seconds` old. */
interface FreshnessLimit extends PromiseSource {
  seconds: number
}

/** New data at most `seconds` after each time of a cron expression. */
interface FreshnessSchedule extends PromiseSource {
  cron: string
  timeZone: string
  seconds: number
}

/** A promise that cannot be judged, with the reason as a sentence. */
interface UnreadableFreshness extends PromiseSource {
  unreadable: string
}

/** A promise about the freshness of a model, as plain JSON. */
export type FreshnessPromise = FreshnessLimit | FreshnessSchedule | UnreadableFreshness

const HOUR = 3600
// The time after a scheduled time within which the data is expected, if the contract promises no latency.
const LATENCY_USUAL = 2 * HOUR
// Data that arrives daily is late after a day and a half, not at the next minute.
const INTERVAL_FACTOR = 1.5
/** The longest duration of a promise: a hundred years, in seconds. */
export const FRESHNESS_SECONDS_MAX = 100 * 366 * 24 * HOUR
const TEXT_CHARACTERS_MAX = 100

const FRESHNESS = ['freshness']
const LATENCY = ['latency']
const INTERVALS = ['frequency', 'interval', 'updatefrequency']
const CRONS = ['frequencycron', 'intervalcron', 'updatefrequencycron']

/** Returns the promise about the freshness of a model; undefined if the contract makes none. */
export function readFreshnessPromise(
  contract: Pick<DataContract, 'serviceLevels' | 'customLevels' | 'models'>,
  model: Model,
): FreshnessPromise | undefined {
  const levels = [...contract.serviceLevels, ...(contract.customLevels ?? [])].flatMap((level) => {
    const concern = findConcern(level, contract.models, model)
    return concern === 'other' ? [] : [{ level, isUnclear: concern === 'unclear' }]
  })
  const choose = (names: readonly string[], factor: number): FreshnessPromise | undefined =>
    chooseStrictest(
      levels
        .filter(({ level }) => names.includes(normalize(level.property)))
        // A level that has only a schedule is not a limit.
        .filter(({ level }) => level.value !== null || level.schedule === undefined)
        .map(({ level, isUnclear }) => (isUnclear ? toUnclear(level) : toLimit(level, factor))),
    )
  const limit = choose(FRESHNESS, 1)
  if (limit !== undefined) return limit
  const schedule = levels
    .map(({ level, isUnclear }) => (isUnclear ? undefined : toSchedule(level)))
    .find((one) => one !== undefined)
  const latency = choose(LATENCY, 1)
  // With a schedule, the latency is that after each of its times and not an age.
  if (schedule !== undefined && latency !== undefined && 'cron' in schedule) {
    return 'seconds' in latency ? { ...schedule, seconds: latency.seconds } : latency
  }
  return latency ?? choose(INTERVALS, INTERVAL_FACTOR) ?? schedule
}

/**
 * Returns the time from which a model is late if its data last changed at `changedAt`, both in milliseconds since 1970;
 * undefined if that never happens.
 */
export function getLateAt(promise: FreshnessPromise, changedAt: number): number | undefined {
  if ('unreadable' in promise) return undefined
  const { seconds } = promise
  if (!('cron' in promise)) return changedAt + seconds * 1000
  const due = createCron(promise.cron, promise.timeZone).nextRun(new Date(changedAt))
  return due === null ? undefined : due.getTime() + seconds * 1000
}

function chooseStrictest(promises: readonly FreshnessPromise[]): FreshnessPromise | undefined {
  const limits = promises.filter((one): one is FreshnessLimit => 'seconds' in one)
  const strictest = limits.toSorted((a, b) => a.seconds - b.seconds)[0]
  return strictest ?? promises[0]
}

function normalize(property: string): string {
  return property.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function toSource(level: ServiceLevel): PromiseSource {
  const { property, value, unit, origin, schedule } = level
  const words = value === null ? [schedule] : [asText(value) ?? JSON.stringify(value), unit]
  return { property, text: clip(words.filter(Boolean).join(' '), TEXT_CHARACTERS_MAX), origin }
}

function toUnclear(level: ServiceLevel): UnreadableFreshness {
  const element = clip(level.element ?? '', TEXT_CHARACTERS_MAX)
  const unreadable = `The element "${element}" names no model of the contract.`
  return { ...toSource(level), unreadable }
}

function toLimit(level: ServiceLevel, factor: number): FreshnessPromise {
  const source = toSource(level)
  const measure = readMeasure(level.value, level.unit)
  if (measure?.of !== 'seconds') {
    const unreadable = `"${source.text}" is not a duration. Write it like 24h, P1D, or 24 with the unit h.`
    return { ...source, unreadable }
  }
  if (!(measure.amount > 0 && measure.amount <= FRESHNESS_SECONDS_MAX)) {
    return { ...source, unreadable: `"${source.text}" is not between 0 and 100 years.` }
  }
  return { ...source, seconds: measure.amount * factor }
}

const ZONE = /^(?:CRON_TZ|TZ)=(\S{1,100})\s+/

// The scheduler of ODCS is free text; only cron expressions are read.
function toSchedule(level: ServiceLevel): FreshnessPromise | undefined {
  const { property, schedule, value } = level
  const text = CRONS.includes(normalize(property)) ? asText(value) : schedule
  if (text === undefined) return undefined
  const source = { ...toSource(level), text: clip(text, TEXT_CHARACTERS_MAX) }
  const timeZone = ZONE.exec(text)?.[1] ?? TIME_ZONE_USUAL
  const cron = text.replace(ZONE, '').trim()
  const problem =
    findTimeZoneProblem(timeZone) ?? findCronProblem(cron) ?? findField(cron, timeZone)
  return problem === undefined
    ? { ...source, cron, timeZone, seconds: LATENCY_USUAL }
    : { ...source, unreadable: problem }
}

function findField(cron: string, timeZone: string): string | undefined {
  try {
    const next = createCron(cron, timeZone).nextRun(new Date(0))
    return next === null ? 'This schedule never fires: its day does not exist.' : undefined
  } catch {
    return `"${clip(cron, TEXT_CHARACTERS_MAX)}" is not a valid cron expression.`
  }
}

type Concern = 'this' | 'other' | 'unclear'

// The standard separates several elements by commas.
function findConcern({ element }: ServiceLevel, models: readonly Model[], model: Model): Concern {
  const elements = (element ?? '').split(',').map((one) => one.trim())
  const named = elements.filter((one) => one !== '')
  if (named.length === 0) return 'this'
  const targets = named.map((one) => findModels(one, models))
  if (targets.some((list) => list.includes(model))) return 'this'
  return targets.every((list) => list.length === 0) ? 'unclear' : 'other'
}

// Of `orders.updated_at`, the model; a name without a model is that of a field.
function findModels(element: string, models: readonly Model[]): Model[] {
  const matchesElement = (name: string | undefined): boolean =>
    name !== undefined && (element === name || element.startsWith(`${name}.`))
  const direct = models.filter(
    ({ name, physicalName }) => matchesElement(name) || matchesElement(physicalName),
  )
  if (direct.length > 0) return direct
  const [first] = element.split('.')
  return models.filter(({ fields }) => fields.some(({ name }) => name === first))
}
