import type { FunctionComponent } from 'react'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { ShapeFieldInput } from '../../documents/form-section.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { useNewNaming } from '../../documents/new-naming.ts'
import { listShapeFields } from '../../documents/shape-fields.ts'

/** Creates the form of a kind of record from its shape. Maps and objects are edited in the source. */
export function createRecordForm({
  shape,
  paths,
}: RecordKind): FunctionComponent<DocumentFormProps> {
  const order = [...shape.fields.keys()]
  const ownInputs = new Set([paths.name, paths.owner].map(([name]) => name))
  return function RecordForm(form) {
    const { editsOfName, editsOfId } = useNewNaming(form, order)
    const common = { form, order }
    const others = listShapeFields(shape, form.value).filter(({ name }) => !ownInputs.has(name))
    return (
      <>
        <FormText
          {...common}
          path={paths.name}
          label="Name"
          {...(form.isNew ? { getEdits: editsOfName } : {})}
        />
        {form.isNew && (
          <FormText
            {...common}
            path={paths.id}
            getEdits={editsOfId}
            label="Id"
            hint="Used in URLs and by the API. It cannot be changed later."
          />
        )}
        <FormTeam
          form={form}
          path={paths.owner}
          label="Owner"
          permission="RESOURCES_ADD"
          getEdit={(id) => ({ kind: 'set', path: paths.owner, value: id, order })}
        />
        {others.map((field) => (
          <ShapeFieldInput key={field.name} {...common} field={field} path={[field.name]} />
        ))}
      </>
    )
  }
}
