import type { Violation } from '../../platform/errors.ts'
import { DialRefused, isListedHost, type Dialer } from '../../platform/kit/dialer.ts'

// A name server that does not answer must not delay the answer; each connection is checked again.
const LOOKUP_MS_MAX = 2000

/**
 * Returns why an address cannot be an endpoint; undefined = it can, as far as is known now. `signal` ends the look-up of
 * its host.
 */
export async function findUrlProblem(
  text: string,
  dialer: Dialer,
  signal = AbortSignal.timeout(LOOKUP_MS_MAX),
): Promise<Violation | undefined> {
  const problem =
    findFormProblem(text, dialer) ?? (await findAddressProblem(new URL(text), dialer, signal))
  return problem === undefined ? undefined : { field: 'url', message: problem }
}

function findFormProblem(text: string, { rules }: Dialer): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL with https'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  if (url.hash !== '') return 'must not contain a fragment'
  if (url.protocol === 'https:') return undefined
  const isAllowed = rules.privateAddresses === 'allow' || isListedHost(rules, url.hostname)
  return isAllowed
    ? undefined
    : 'must begin with https. http is only possible for hosts and private addresses that the operator of this server allows'
}

async function findAddressProblem(
  url: URL,
  dialer: Dialer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  try {
    await dialer.check(url.hostname, port, signal)
    return undefined
  } catch (error) {
    // A host that cannot be found now may be found later.
    return error instanceof DialRefused ? error.message : undefined
  }
}
