import { randomUUIDv7 } from 'node:crypto'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { DIRECTORY_KEY_PREFIX } from '../../requests/access/directory-caller.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { hashToken, newToken } from '../../platform/kit/token.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { lockMembersFirst } from '../organizations/suspension-service.ts'
import { DIRECTORY_KEYS_MAX, SECRET_PREFIX_CHARACTERS } from './directory-key.ts'
import * as store from './key-store.ts'

/** Creates a key and returns its secret, which is not stored. Errors: limit_reached at the third. */
export async function createDirectoryKey(
  db: Database,
  organizationId: string,
  actor: ActivityActor,
): Promise<{ id: string; key: string }> {
  const secret = newToken(DIRECTORY_KEY_PREFIX)
  const id = randomUUIDv7()
  const secretPrefix = secret.slice(0, SECRET_PREFIX_CHARACTERS)
  const row = { id, secretHash: hashToken(secret), secretPrefix }
  const isAdded = await db.transaction().execute(async (transaction) => {
    await lockMembersFirst(transaction, organizationId)
    return await store.insertKey(transaction, organizationId, row, actor)
  })
  if (isAdded) return { id, key: secret }
  throw new ApiError(
    'limit_reached',
    `An organization can have ${DIRECTORY_KEYS_MAX} keys for its directory. Delete the one that is no longer used.`,
  )
}

/** Deletes a key, which stops working within a second. Errors: not_found. */
export async function deleteDirectoryKey(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor,
): Promise<void> {
  if (!isUuid(id) || !(await store.deleteKey(db, organizationId, id, actor))) throw notFound()
}
