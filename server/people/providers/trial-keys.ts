import { TOKEN_ALGORITHMS } from '../../platform/kit/token-verifier.ts'

/** The maximum number of keys that are read. */
const KEYS_MAX = 100

/**
 * Returns why the answer of the address of keys (RFC 7517, 5) has no usable key, as a clause after the address; undefined =
 * it has one.
 */
export function findKeyProblem(status: number, text: string): string | undefined {
  if (status !== 200) return `answered ${status} instead of 200`
  const keys = parseKeys(text)
  if (keys === undefined) return 'is not a set of keys'
  if (keys.length === 0) return 'has no key'
  if (keys.length > KEYS_MAX) return `has ${keys.length} keys, more than ${KEYS_MAX}`
  if (keys.some((key) => 'd' in key || 'k' in key)) {
    return 'has a private or symmetric key, which must never be published'
  }
  return keys.some(isUsable) ? undefined : 'has no key for a signature that Portbook accepts'
}

function parseKeys(text: string): object[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('keys' in value)) return undefined
    return Array.isArray(value.keys)
      ? value.keys.filter((key) => typeof key === 'object' && key !== null)
      : undefined
  } catch {
    return undefined
  }
}

function isUsable(key: object): boolean {
  const { kty, use, alg }: { kty?: unknown; use?: unknown; alg?: unknown } = key
  const isSigned = alg === undefined || TOKEN_ALGORITHMS.some((name) => name === alg)
  const isKind = kty === 'RSA' || kty === 'EC' || kty === 'OKP'
  const isForSignatures = use === undefined || use === 'sig'
  return isKind && isForSignatures && isSigned
}
