/**
 * Returns a status as pages show it, in one style for all kinds: `active` → "Active", `IN_DEVELOPMENT` and
 * `in-development` → "In development". Short capitals, such as `GA`, stay.
 */
export function toStatusLabel(status: string): string {
  const parts = status.trim().split(/[\s_-]+/)
  const isAllCapitals = parts.length > 1 && status === status.toUpperCase()
  const words = parts.map((word) =>
    !isAllCapitals && /^\p{Lu}{1,3}$/u.test(word) ? word : word.toLowerCase(),
  )
  const isCompound = /^non-/i.test(status.trim())
  const text = isCompound ? words.join('-') : words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
