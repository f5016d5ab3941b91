import { shapeAt, type Shape } from '../../formats/shape/shape.ts'
import type { Path } from '../../formats/text/value.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import type { DocumentFormProps } from './document-kind.ts'
import { FormTags } from './form-tags.tsx'
import { FormMore } from './form-more.tsx'

const ContextForm = lazyPart(() => import('./context-form.tsx'), 'ContextForm')

interface FormGuidanceProps {
  form: DocumentFormProps
  /** The path of the contract, model, product or port. */
  path: Path
  /** The shape of the whole document, in its version of the standard. */
  shape: Shape
  /** The fields of the object in their customary order. */
  order: readonly string[]
}

/** The synonyms and the context of a part of a document; nothing if its version of the standard has neither. */
export function FormGuidance({ form, path, shape, order }: FormGuidanceProps) {
  const has = (name: string): boolean => shapeAt(shape, [...path, name]) !== undefined
  const [hasSynonyms, hasContext] = [has('synonyms'), has('context')]
  if (!hasSynonyms && !hasContext) return null
  return (
    <FormMore
      title={hasSynonyms ? 'Synonyms, questions and instructions' : 'Questions and instructions'}
      paths={[
        [...path, 'synonyms'],
        [...path, 'context'],
      ]}
      prepare={ContextForm.prepare}
    >
      {hasSynonyms && (
        <FormTags
          {...{ form, order }}
          path={[...path, 'synonyms']}
          label="Synonyms"
          field="synonym"
        />
      )}
      {hasContext && <ContextForm {...{ form, order }} path={[...path, 'context']} />}
    </FormMore>
  )
}
