import type * as oidc from 'oidc-provider'

/** The package of the provider of the demo, which is installed only in a clone of the repository. */
export type ProviderPackage = typeof oidc

/** Loads the package; undefined = it is not installed. */
export async function loadPackage(): Promise<ProviderPackage | undefined> {
  const restore = silenceConsole()
  try {
    return await import('oidc-provider')
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing) return undefined
    throw error
  } finally {
    restore()
  }
}

/** Creates a provider without its advice for operators. */
export function createQuietly(
  { default: Provider }: ProviderPackage,
  issuer: string,
  configuration: oidc.Configuration,
): oidc.default {
  const restore = silenceConsole()
  try {
    return new Provider(issuer, configuration)
  } finally {
    restore()
  }
}

/** Ignores the notices and warnings of the console, in which Portbook writes none. Returns how to end that. */
function silenceConsole(): () => void {
  const { info, warn } = console
  Object.assign(console, { info: () => undefined, warn: () => undefined })
  return () => void Object.assign(console, { info, warn })
}
