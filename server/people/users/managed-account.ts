import { ApiError } from '../../platform/errors.ts'

/**
 * A managed account belongs to the identity provider or the directory of one organization. It has no password, its name
 * and address come from there, and it joins no other organization.
 */

/** Creates the error for a change that only the provider can make; `organizationName` is that of its organization. */
export function newManagedAccountError(organizationName: string): ApiError {
  return new ApiError(
    'managed_by_provider',
    `The account is managed by ${organizationName}: it has no password, its name and address come from the identity provider, and it joins no other organization.`,
  )
}
