const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns whether a text is a UUID, in any letter case. PostgreSQL rejects statements with an invalid one. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
