/** Returns the message of a run without its parts about held deletes. */
export function withoutHeldDeletes(message: string | null): string | null {
  const parts = message?.split('; ').filter((part) => !/^\d+ (deletes?|assets that)\b/.test(part))
  return parts?.join('; ') ?? null
}
