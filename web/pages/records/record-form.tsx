import type { FunctionComponent } from 'react'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { ShapeFieldInput } from '../../documents/form-section.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { useNewNaming } from '../../documents/new-naming.ts'
import { listShapeFields, toLabel } from '../../documents/shape-fields.ts'

/** Creates the form of a kind of record from its shape. Maps and objects are edited in the source. */
export function createRecordForm({
  shape,
  paths,
}: RecordKind): FunctionComponent<DocumentFormProps> {
  const order = [...shape.fields.keys()]
  const { id, name, owner } = paths
  const ownInputs = new Set([id, name, owner].map((path) => path?.[0]))
  const naming = { name: name ?? id, id }
  return function RecordForm(form) {
    const { editsOfName, editsOfId } = useNewNaming(form, order, naming)
    const common = { form, order }
    const others = listShapeFields(shape, form.value).filter((field) => !ownInputs.has(field.name))
    return (
      <>
        {name !== undefined && (
          <FormText
            {...common}
            path={name}
            label={toLabel(String(name.at(-1)))}
            {...(form.isNew ? { getEdits: editsOfName } : {})}
          />
        )}
        {form.isNew && (
          <FormText
            {...common}
            path={id}
            getEdits={editsOfId}
            label="Id"
            hint="Used in URLs and by the API. It cannot be changed later."
          />
        )}
        {owner !== undefined && (
          <FormTeam
            form={form}
            path={owner}
            label="Owner"
            permission="RESOURCES_ADD"
            getEdit={(team) => ({ kind: 'set', path: owner, value: team, order })}
          />
        )}
        {others.map((field) => (
          <ShapeFieldInput key={field.name} {...common} field={field} path={[field.name]} />
        ))}
      </>
    )
  }
}
