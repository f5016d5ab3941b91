import type { SentCheck } from '../../../formats/reality/check-read.ts'
import { asText, getField } from '../../../formats/text/value.ts'
import type { FreshnessCheck } from '../../ledger/freshness/freshness-check.ts'
import { parseInstant } from '../../platform/kit/clock.ts'

const MODELS_MAX = 1000
const NAME_CHARACTERS_MAX = 300

/**
 * Reads the newest instants in the data of models from the checks of a result, as datacontract-cli 1.2 reports them: checks of the
 * type `servicelevel_freshness` have it in `diagnostics.latest_timestamp`. At most 1,000 models.
 */
export function readFreshnessChecks(checks: readonly SentCheck[]): FreshnessCheck[] {
  return checks
    .flatMap(({ check }): FreshnessCheck[] => {
      if (asText(getField(check, 'type')) !== 'servicelevel_freshness') return []
      const model = asText(getField(check, 'model')) ?? ''
      const text = asText(getField(getField(check, 'diagnostics'), 'latest_timestamp')) ?? ''
      const latestAt = parseInstant(text) ?? parseInstant(`${text}Z`)
      const isNamed = model !== '' && model.length <= NAME_CHARACTERS_MAX
      return isNamed && latestAt !== undefined ? [{ model, latestAt }] : []
    })
    .slice(0, MODELS_MAX)
}
