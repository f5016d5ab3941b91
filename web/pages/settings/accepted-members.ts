/**
 * Returns an object of a setting with only the members that the server accepts: the named ones, and others that are
 * null. An earlier version stored any member; sent back, the others would make every save of the form fail.
 */
export function pickAccepted<Stored extends object>(
  stored: Stored,
  names: readonly string[],
): Stored {
  const accepted = { ...stored }
  for (const name of Object.keys(stored)) {
    if (names.includes(name) || Reflect.get(stored, name) === null) continue
    Reflect.deleteProperty(accepted, name)
  }
  return accepted
}
