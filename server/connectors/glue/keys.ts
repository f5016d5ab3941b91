import { SourceFailure, type Setup } from '../connector.ts'
import type { GlueConfiguration } from './configuration.ts'

/** A key that signs requests. */
export interface AwsKey {
  accessKeyId: string
  secretAccessKey: string
  /** Only temporary keys have one. */
  sessionToken?: string
}

/** Returns the configured key. Errors: SourceFailure auth, without the secrets. */
export function readKey({ accessKeyId }: GlueConfiguration, secrets: Setup['secrets']): AwsKey {
  const secretAccessKey = secrets['secretAccessKey']?.trim() ?? ''
  const sessionToken = secrets['sessionToken']?.trim() ?? ''
  // A header cannot contain other characters; the error of the platform would repeat the token.
  if (!/^[\x21-\x7E]+$/.test(secretAccessKey)) {
    throw new SourceFailure('auth', 'The secret access key is missing or has invalid characters')
  }
  if (!/^[\x21-\x7E]*$/.test(sessionToken)) {
    throw new SourceFailure('auth', 'The session token has invalid characters')
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) }
}
