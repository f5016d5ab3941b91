import type { DocumentFormProps } from './document-kind.ts'
import { FormText } from './form-field.tsx'
import { useNewNaming } from './new-naming.ts'

interface NewNamesProps {
  form: DocumentFormProps
  /** The customary order of the fields of the document. */
  order: readonly string[]
}

/** The name and the id of a new document: the id follows the name until it is edited. */
export function NewNames({ form, order }: NewNamesProps) {
  const { editsOfName, editsOfId } = useNewNaming(form, order)
  return (
    <>
      <FormText {...{ form, order }} label="Name" path={['name']} getEdits={editsOfName} />
      <FormText
        {...{ form, order }}
        label="Id"
        path={['id']}
        getEdits={editsOfId}
        hint="Used in URLs and by other documents. It cannot be changed later."
      />
    </>
  )
}
