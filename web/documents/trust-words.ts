import type { Schemas } from '../api/client.ts'
import { countText } from '../parts/number-text.ts'

/** The signals of a resource. */
type Trust = Schemas['Trust']

/** A signal with its name. */
export interface Signal {
  name: 'tests' | 'standing'
  title: string
  signal: Trust['tests'] | Trust['standing']
}

/** Lists the signals of a resource in the order in which all pages show them. */
export function listSignals({ tests, standing }: Trust): Signal[] {
  return [
    { name: 'tests', title: 'Tests', signal: tests },
    { name: 'standing', title: 'Standing', signal: standing },
  ]
}

/** Describes all signals in one sentence: `Tests: Failing. Standing: Certified. 12 readers.` */
export function describeTrust(trust: Trust): string {
  const signals = listSignals(trust).map(({ title, signal }) => `${title}: ${signal.word}`)
  const readers = trust.readers === null ? [] : [countText(trust.readers, 'reader')]
  return `${[...signals, ...readers].join('. ')}.`
}
