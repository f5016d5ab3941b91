import type { Caller } from '../../requests/access/caller.ts'
import { releaseAssets } from '../../catalog/assets/removal-service.ts'
import { ApiError } from '../../platform/errors.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { endGrants } from '../../reality/grants/settings-service.ts'
import { settleAddresses } from './address-service.ts'
import type { ChangeServices } from './change-service.ts'
import { lockIntegration, requireEditable } from './service.ts'
import * as store from './store.ts'

/**
 * Deletes an integration with its secrets and runs. Its assets become ordinary ones, or are deleted
 * with it. Errors: not_found, permission_missing, precondition_failed, run_in_progress.
 */
export async function removeIntegration(
  services: ChangeServices,
  caller: Caller,
  remove: {
    externalId: string
    assets: 'keep' | 'delete'
    conditions: Conditions
    requestId: string
  },
): Promise<void> {
  const { bulkDb, clock } = services
  const { organizationId, principal } = caller
  const { externalId, assets, conditions, requestId } = remove
  await bulkDb.transaction().execute(async (transaction) => {
    // From here on no run can start: it would refer to the locked row.
    const integration = await lockIntegration(
      transaction,
      organizationId,
      externalId,
      'against runs',
    )
    requireEditable(caller, integration)
    checkPreconditions(conditions, String(integration.version))
    const { id: integrationId } = integration
    if (await store.hasRunInProgress(transaction, organizationId, integrationId)) {
      throw new ApiError(
        'run_in_progress',
        'A run is in progress. Wait until it ends, or cancel it.',
      )
    }
    const release = { organizationId, integrationId, principal, requestId }
    await releaseAssets(transaction, clock, release, assets)
    await store.deleteIntegration(transaction, clock, {
      organizationId,
      principal,
      requestId,
      id: integrationId,
    })
    await settleAddresses(services, transaction, release)
    await endGrants(transaction, clock, release)
  })
}
