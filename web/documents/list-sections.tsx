import { Suspense } from 'react'
import { shapeAt, type Shape } from '../../formats/shape/shape.ts'
import { valueAt } from '../../formats/text/value.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { Skeleton } from '../parts/notice.tsx'
import type { DocumentFormProps } from './document-kind.ts'
import type { OutlineSection } from './form-outline.tsx'
import { getItemName, type FormSectionRecord } from './section-records.ts'
import { summarizeNames } from './section-summary.ts'

// Lists are folded at first.
const FormSections = lazyPart(() => import('./form-section.tsx'), 'FormSections')

interface ListSectionsOptions {
  form: DocumentFormProps
  /** The shape of the whole document, in its version of the standard. */
  shape: Shape
  records: readonly FormSectionRecord[]
  /** The customary order of the fields that hold the lists. */
  order: readonly string[]
}

/** Creates a section of a long form for each list that the version of the standard has. */
export function createListSections(options: ListSectionsOptions): OutlineSection[] {
  const { form, shape, records, order } = options
  return records
    .filter(({ path }) => shapeAt(shape, [...path, 0]) !== undefined)
    .map((record) => {
      const { path, title, nameFields } = record
      const list = valueAt(form.value, path)
      const items = Array.isArray(list) ? list : []
      return {
        id: toSectionId(title),
        title,
        paths: [path],
        summary: summarizeNames(
          items.map((item, at) => getItemName(item, nameFields) ?? String(at + 1)),
        ),
        content: (
          <Suspense fallback={<Skeleton lines={2} />}>
            <FormSections {...{ form, shape, order }} sections={[record]} areTitled={false} />
          </Suspense>
        ),
      }
    })
}

/** Returns the id of a section, for its address: `form-output-ports`. */
export function toSectionId(title: string): string {
  return `form-${title.toLowerCase().replaceAll(' ', '-')}`
}
