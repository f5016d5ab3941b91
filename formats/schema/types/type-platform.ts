// The platform of the types of single fields, in documents whose format defines types of its own: the Data Contract
// Specification has a `timestamp`, and so has the server. It is not a part of the model, which is the same for all formats.

import type { Field } from '../model.ts'
import type { Platform } from './native-type.ts'

const TYPE_PLATFORMS = new WeakMap<Field, Platform>()

/** Records that the type of a field is one of this platform, not one that the format of the document defines. */
export function setTypePlatform(field: Field, platform: Platform): void {
  TYPE_PLATFORMS.set(field, platform)
}

/** Returns the platform of the type of a field; undefined if the format of the document determines it. */
export function getTypePlatform(field: Field): Platform | undefined {
  return TYPE_PLATFORMS.get(field)
}
