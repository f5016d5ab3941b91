import { openSealed } from '../../platform/sealed-secrets.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { OpenedProvider } from './provider.ts'
import { findSealedProvider } from './store.ts'

/**
 * Finds a provider of any organization by its id, with its client secret, whether it is enabled or not. Errors:
 * SecretUnreadable.
 */
export async function findOpenedProvider(
  { db, secretBox }: Pick<Services, 'db' | 'secretBox'>,
  id: string,
): Promise<OpenedProvider | undefined> {
  const found = isUuid(id) ? await findSealedProvider(db, id) : undefined
  if (found === undefined) return undefined
  const { provider, sealed } = found
  if (sealed === null) return { ...provider, secret: undefined }
  const place = [provider.organizationId, provider.id]
  const secret = openSealed(secretBox, 'identity_provider_secret', place, sealed)
  return { ...provider, secret }
}
