import { asText, getField, valueAt, type Path, type Value } from '../../formats/text/value.ts'
import {
  CONTEXT_ORDER,
  getInstructionsPath,
  listInstructionEdits,
  listObjectEdits,
} from './context-edits.ts'
import type { DocumentFormProps } from './document-kind.ts'
import { FormText } from './form-field.tsx'
import { FormList } from './form-list.tsx'

const STATEMENT_ORDER = ['id', 'question', 'answer']

interface ContextFormProps {
  form: DocumentFormProps
  /** The path of the context. */
  path: Path
  /** The fields of the object that has the context, in their customary order. */
  order: readonly string[]
}

/** The guidance of a contract, model, product or port: instructions, questions, and what not to do. */
export function ContextForm({ form, path, order: outer }: ContextFormProps) {
  const context = valueAt(form.value, path)
  const common = { form, multiline: true, optional: true }
  // Of the context, or of the object that gets one.
  const order = [...outer, ...CONTEXT_ORDER]
  const toObject = listObjectEdits(context, path)
  return (
    <>
      <FormText
        {...common}
        path={getInstructionsPath(context, path)}
        label="Instructions"
        hint="How people and AI agents use the data."
        getEdits={(text) => listInstructionEdits(context, path, text, order)}
      />
      <FormList
        form={form}
        path={[...path, 'verifiedStatements']}
        title="Questions"
        empty="Add questions that the data answers, with answers you have verified."
        addLabel="Add question"
        newItem={{ question: '', answer: '' }}
        before={toObject}
        order={order}
        getName={(item, at) => getText(item, 'question') ?? `Question ${at + 1}`}
      >
        {(item) => (
          <>
            <FormText
              form={form}
              path={[...item, 'question']}
              label="Question"
              order={STATEMENT_ORDER}
            />
            <FormText
              {...common}
              path={[...item, 'answer']}
              label="Answer"
              order={STATEMENT_ORDER}
            />
          </>
        )}
      </FormList>
      <FormList
        form={form}
        path={[...path, 'constraints']}
        title="Do not"
        empty="Add what must not be done with the data."
        addLabel="Add constraint"
        newItem={{ constraint: '' }}
        before={toObject}
        order={order}
        getName={(item, at) => getText(item, 'constraint') ?? `Constraint ${at + 1}`}
      >
        {(item) => (
          <FormText form={form} path={[...item, 'constraint']} label="Constraint" multiline />
        )}
      </FormList>
    </>
  )
}

function getText(item: Value, name: string): string | undefined {
  const text = asText(getField(item, name))?.trim()
  return text === '' ? undefined : text
}
