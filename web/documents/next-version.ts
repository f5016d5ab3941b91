const SEMANTIC = /^(v?)(\d{1,9})(?:\.\d+){0,2}$/

/** Returns the next major version: `4.0.0` for `3.1.2`. Undefined = the version has another form. */
export function nextMajorVersion(version: string): string | undefined {
  const [, prefix = '', major] = SEMANTIC.exec(version.trim()) ?? []
  if (major === undefined) return undefined
  const parts = version.split('.').length
  return [`${prefix}${Number(major) + 1}`, ...Array<string>(parts - 1).fill('0')].join('.')
}
