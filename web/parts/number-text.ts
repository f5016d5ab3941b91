const NUMBER = new Intl.NumberFormat('en')

/** Formats a number with separators between its thousands. */
export function numberText(value: number): string {
  return NUMBER.format(value)
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a number for an axis: `1.2K`. */
export function compactText(value: number): string {
  return COMPACT.format(value)
}

/** Formats a number that is counted up to a limit: `1,000+`. */
export function cappedText(count: number, countedMax: number): string {
  return count > countedMax ? `${numberText(countedMax)}+` : numberText(count)
}

/** Formats a number with its noun: `1 line`, `2,000 lines`. */
export function countText(count: number, singular: string, plural = `${singular}s`): string {
  return `${numberText(count)} ${count === 1 ? singular : plural}`
}

/** Formats a number of bytes: `1.2 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let at = 0
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at += 1
  }
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}
