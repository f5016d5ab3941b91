/** The additions of people to an asset; null for the value of the source or integration. */
interface Annotation {
  description: string | null
  ownerId: string | null
  tags: readonly string[] | null
  updatedAt: string
}

/** The draft of an annotation, and the state that it started from. */
export interface AnnotationDraft {
  description: string
  /** Empty = the owner of the integration. */
  ownerId: string
  /** Null = the tags of the source. */
  tags: readonly string[] | null
  /** The annotation when the draft was started; undefined = there was none. */
  basedOn: string | undefined
}

/** Returns the draft of an annotation without changes. */
export function toAnnotationDraft(annotation: Annotation | null): AnnotationDraft {
  return {
    description: annotation?.description ?? '',
    ownerId: annotation?.ownerId ?? '',
    tags: annotation?.tags ?? null,
    basedOn: getState(annotation),
  }
}

/** Returns the body to send; null = the value of the source. */
export function toAnnotationBody({ description, ownerId, tags }: AnnotationDraft): {
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
 * Returns whether another person has changed the annotation since the draft was started. Runs do not
 * count: they change nothing that people add.
 */
export function isOvertaken(draft: AnnotationDraft, annotation: Annotation | null): boolean {
  return draft.basedOn !== getState(annotation)
}

/** Returns whether the draft changes anything. */
export function isChanged(draft: AnnotationDraft, annotation: Annotation | null): boolean {
  return (
    JSON.stringify(toAnnotationBody(draft)) !==
    JSON.stringify(toAnnotationBody(toAnnotationDraft(annotation)))
  )
}

// Compared by content: saving the same annotation again conflicts with no draft.
function getState(annotation: Annotation | null): string | undefined {
  if (annotation === null) return undefined
  const { description, ownerId, tags } = annotation
  return JSON.stringify([description, ownerId, tags])
}
