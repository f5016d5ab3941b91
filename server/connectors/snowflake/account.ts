/** Names of an account: in addresses, and in tokens. */

/** The parts of a configuration that determine the address. */
interface AccountAddress {
  account: string
  url?: string | undefined
}

/** Returns the address of an account. Host names use hyphens where an account name has underscores. */
export function getAddress({ account, url }: AccountAddress): string {
  if (url !== undefined) return url
  return `https://${account.toLowerCase().replaceAll('_', '-')}.snowflakecomputing.com`
}

/** Returns the account as tokens name it: in upper case, without region and cloud. */
export function getTokenAccount(account: string): string {
  const [first = ''] = account.split('.')
  // Replicated accounts have an external id after a hyphen: xy12345-abc.global.
  const name = /\.global$/i.test(account) ? first.replace(/-.*$/, '') : first
  return name.toUpperCase()
}
