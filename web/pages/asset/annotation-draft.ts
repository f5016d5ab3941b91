/** What people have added to an asset; each null = the source's own, or the integration's. */
interface Annotation {
  description: string | null
  ownerId: string | null
  tags: readonly string[] | null
  updatedAt: string
}

/** What somebody is writing, with what it began from. */
export interface AnnotationDraft {
  description: string
  /** Empty = the integration's own. */
  ownerId: string
  /** Null = the source's own. */
  tags: readonly string[] | null
  /** What people had added when it began; undefined = nothing. */
  basedOn: string | undefined
}

/** The draft of an asset's additions as they stand. */
export function draftOf(annotation: Annotation | null): AnnotationDraft {
  return {
    description: annotation?.description ?? '',
    ownerId: annotation?.ownerId ?? '',
    tags: annotation?.tags ?? null,
    basedOn: stateOf(annotation),
  }
}

/** What is sent: all that people add, null where the source's own shall be shown. */
export function bodyOf({ description, ownerId, tags }: AnnotationDraft): {
  description: string | null
  owner: string | null
  tags: readonly string[] | null
} {
  return {
    description: description.trim() === '' ? null : description,
    owner: ownerId === '' ? null : ownerId,
    tags,
  }
}

/**
 * Says whether somebody else has written since the draft began. A run that changes the asset in
 * between is no matter: it touches nothing that people add.
 */
export function isOvertaken(draft: AnnotationDraft, annotation: Annotation | null): boolean {
  return draft.basedOn !== stateOf(annotation)
}

/** Says whether the draft would change anything. */
export function isChanged(draft: AnnotationDraft, annotation: Annotation | null): boolean {
  return JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(draftOf(annotation)))
}

// By what it says: who writes the same as before has overtaken nobody.
function stateOf(annotation: Annotation | null): string | undefined {
  if (annotation === null) return undefined
  const { description, ownerId, tags } = annotation
  return JSON.stringify([description, ownerId, tags])
}
