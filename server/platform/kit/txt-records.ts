import { Resolver } from 'node:dns/promises'
import { withoutSlot } from './held-slot.ts'

/** Returns the texts of the TXT records of a name, each joined from its parts; empty = it has none. Errors: NameServerFailure. */
export type ResolveTxt = (name: string) => Promise<string[]>

/** A name server that did not answer, or not with records. The message is a sentence for people. */
export class NameServerFailure extends Error {
  override readonly name = 'NameServerFailure'
}

/** The time until the first answer, and the number of tries; each further one waits twice as long. */
const LIMITS = { timeout: 2000, tries: 2 }

// RFC 1035 has no limit. Domains with verifications of many services have some dozens.
const RECORDS_MAX = 200

/** Creates a resolver that asks the name servers of the system, or those given as `address:port`. */
export function newTxtResolver(
  servers?: readonly string[],
  limits: Partial<typeof LIMITS> = {},
): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ ...LIMITS, ...limits })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      const records = await withoutSlot(() => resolver.resolveTxt(name))
      return records.slice(0, RECORDS_MAX).map((parts) => parts.join(''))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      // The name does not exist, or has records of other types only.
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      throw new NameServerFailure(
        code === 'ETIMEOUT'
          ? `The name server did not answer for ${name} in time.`
          : `The name server could not answer for ${name} (${code}).`,
        { cause: error },
      )
    }
  }
}
