import { paths } from '../../paths.ts'
import { newTable } from '../../../formats/name/table.ts'

/** An item that needs attention, reduced to what its link needs. */
interface AttentionTarget {
  kind: string
  target: { kind: string; id: string | null; integrationExternalId: string | null }
}

/** Returns the page on which it is fixed. */
export function getAttentionPath({ kind: cause, target }: AttentionTarget): string {
  const { kind, id, integrationExternalId } = target
  if (cause === 'drift_open') {
    return id === null
      ? paths.drift({ level: 'breaking' })
      : paths.dataContract(id, { view: 'reality' })
  }
  const integration = integrationExternalId ?? id
  if (kind === 'run' && integrationExternalId !== null && id !== null) {
    return paths.run(integrationExternalId, id)
  }
  if ((kind === 'integration' || kind === 'run') && integration !== null) {
    return paths.integration(integration)
  }
  if (kind === 'data-product' && id !== null) return paths.dataProduct(id)
  if (kind === 'data-contract' && id !== null) return paths.dataContract(id)
  if (kind === 'incidents') return paths.incidents()
  if (kind === 'requests') return paths.requests()
  if (kind === 'api-keys') return paths.newApiKey({ like: id ?? undefined })
  if (id === 'unowned') return '/search?resourceType=DATA_CONTRACT&teamId='
  if (id === 'dps') return paths.search({ resourceType: 'DATA_PRODUCT', format: id })
  if (id === 'dcs') return paths.search({ resourceType: 'DATA_CONTRACT', format: id })
  return paths.search({ query: id ?? undefined })
}

/** Returns the label of the link that fixes it. */
export function getAttentionAction({ kind }: AttentionTarget): string {
  return ACTIONS[kind] ?? 'Open'
}

const ACTIONS = newTable<string>({
  run_failed: 'See why it failed',
  deletes_held: 'Confirm or reject the deletes',
  integration_paused: 'Open the integration',
  key_expiring: 'Replace the key',
  contract_missing: 'Open the data product',
  contract_unowned: 'Set the owner',
  format_ending: 'Find and convert them',
  access_requested: 'Decide on the requests',
  drift_open: 'Compare contract and tables',
  incident: 'See the incident',
})
