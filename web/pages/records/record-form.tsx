import type { FunctionComponent } from 'react'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import { isRequired } from '../../../formats/record/read.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { useNewNaming } from '../../documents/new-naming.ts'
import { toLabel } from '../../documents/to-label.ts'
import { createUuid } from './create-uuid.ts'
import { RecordFormFields } from './record-form-fields.tsx'

/** Creates the form of a kind of record from its shape. Maps are edited in the source. */
export function createRecordForm({
  shape,
  paths,
  permissions,
  hasUuidIds = false,
  fieldsWithoutEffect = [],
}: RecordKind): FunctionComponent<DocumentFormProps> {
  const order = [...shape.fields.keys()]
  const { id, name, owner } = paths
  const ownInputs = [id, name, owner].flatMap((path) => (path === undefined ? [] : [path]))
  const without = [...ownInputs, ...fieldsWithoutEffect.map((field) => [field])]
  const naming = {
    name: name ?? id,
    id,
    ...(hasUuidIds && { propose: (_: string, before: string) => before || createUuid() }),
  }
  return function RecordForm(form) {
    const { editsOfName, editsOfId } = useNewNaming(form, order, naming)
    const common = { form, order }
    return (
      <>
        {name !== undefined && (
          <FormText
            {...common}
            path={name}
            label={toLabel(String(name.at(-1)))}
            optional={!isRequired(shape, name)}
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
        {owner !== undefined && permissions !== undefined && (
          <FormTeam
            form={form}
            path={owner}
            label="Owner"
            permission={`${permissions}_ADD`}
            getEdit={(team) => ({ kind: 'set', path: owner, value: team, order })}
          />
        )}
        <RecordFormFields form={form} shape={shape} path={[]} without={without} />
      </>
    )
  }
}
