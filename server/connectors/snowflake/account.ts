/** Names of an account: in addresses, and in tokens. */

/** The parts of a configuration that determine the address. */
interface AccountAddress {
  account: string
  url?: string | undefined
}

/** Returns the address of an account. Host names use hyphens where an account name has underscores. */
export function getAddress({ account, url }: AccountAddress): string {
  if (url !== undefined) return url
  const name = toIdentifier(account).toLowerCase().replaceAll('_', '-')
  return `https://${name}.snowflakecomputing.com`
}

// Snowflake's pages copy an account as ORG.ACCOUNT. After a locator, the part after the dot is a region, which has a
// hyphen, or one of these words; names of accounts have neither.
function toIdentifier(account: string): string {
  const [first = '', second = '', ...others] = account.split('.')
  const isRegion = second.includes('-') || /^(global|privatelink)$/i.test(second)
  return second === '' || isRegion || others.length > 0 ? account : `${first}-${second}`
}

/** Returns the account as tokens name it: in upper case, without region and cloud. */
export function getTokenAccount(account: string): string {
  const [first = ''] = toIdentifier(account).split('.')
  // Replicated accounts have an external id after a hyphen: xy12345-abc.global.
  const name = /\.global$/i.test(account) ? first.replace(/-.*$/, '') : first
  return name.toUpperCase()
}
