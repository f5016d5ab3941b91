import { customValue } from '../../../formats/data-contract/custom-properties.ts'
import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import type { DataProduct } from '../../../formats/data-product/data-product.ts'
import { getEffectiveStatus } from '../../../formats/data-product/standing.ts'
import { readMeasure } from '../../../formats/diff/duration.ts'
import { getField, truncate, type Value } from '../../../formats/text/value.ts'

// The parts of documents by which readers and tests are attributed to them.

/** An output port of a data product, as the index has it. */
interface IndexedPort {
  name: string
  /** The names by which agreements, usage and test results refer to it: its id, its name and its key. */
  names: string[]
  /** Null = it names no contract. */
  contract: string | null
  status: string | null
}

/** The servers of a data contract whose tests count, as the index has them. */
interface IndexedServers {
  /** Those of production, or all if none is of production. */
  tested: string[]
  /** The other ones; a result that names neither counts for all. */
  ignored: string[]
  /** The time for which a test result counts, by the custom property `testsValidFor`; null = the usual time. */
  validSeconds: number | null
}

const PORTS_MAX = 1000
const NAME_CHARACTERS_MAX = 1024
const TESTED_MAX = 10
const IGNORED_MAX = 100
const PRODUCTION = /^(?:prd|prod|production|live)$/i
const VALIDITY_PROPERTY = 'testsValidFor'

/** Lists the output ports of a data product for the index. */
export function listIndexedPorts({ outputPorts }: Pick<DataProduct, 'outputPorts'>): IndexedPort[] {
  return outputPorts.slice(0, PORTS_MAX).map(({ key, id, name, contractId, ...standing }) => ({
    name: truncate(name, NAME_CHARACTERS_MAX),
    names: [...new Set([id, name, key])],
    contract: contractId ?? null,
    status: getEffectiveStatus(standing) ?? null,
  }))
}

/** Chooses the servers of a data contract whose tests count. `value` is its document. */
export function chooseTestedServers(
  { servers }: Pick<DataContract, 'servers'>,
  value: Value,
): IndexedServers {
  const production = servers.filter(({ environment = '' }) => PRODUCTION.test(environment.trim()))
  const tested = (production.length > 0 ? production : servers).map(({ name }) => name)
  const ignored = servers.map(({ name }) => name).filter((name) => !tested.includes(name))
  return {
    tested: tested.slice(0, TESTED_MAX),
    ignored: ignored.slice(0, IGNORED_MAX),
    validSeconds: readValidSeconds(value),
  }
}

// The data of ODCS is in a list, that of DCS in an object.
function readValidSeconds(value: Value): number | null {
  const given =
    customValue(getField(value, 'customProperties'), VALIDITY_PROPERTY) ??
    getField(getField(value, 'custom'), VALIDITY_PROPERTY)
  const measure = given === undefined ? undefined : readMeasure(given, undefined)
  return measure?.of === 'seconds' && measure.amount > 0 && Number.isFinite(measure.amount)
    ? measure.amount
    : null
}
