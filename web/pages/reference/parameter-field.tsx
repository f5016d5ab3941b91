import { getField, type ObjectValue, type Value } from '../../../formats/text/value.ts'
import { toChoices } from '../../parts/choices.ts'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import type { Parameter } from './api-document.ts'
import { isList, type Filled } from './request.ts'
import { resolveReference, readSchemaShape } from './shape.ts'

interface ParameterFieldsProps {
  parameters: readonly Parameter[]
  schemas: ObjectValue
  filled: Filled
  onChange: (filled: Filled) => void
}

/** The parts of the path and the query of an operation, to fill in. */
export function ParameterFields({ parameters, schemas, filled, onChange }: ParameterFieldsProps) {
  if (parameters.length === 0) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
      <FormFields
        fields={parameters.map((one) => toField(one, schemas))}
        values={filled}
        onChange={onChange}
      />
    </div>
  )
}

function toField(parameter: Parameter, schemas: ObjectValue): FieldRecord {
  const { name, isRequired } = parameter
  const schema = resolveReference(parameter.schema, schemas)
  const choices = choicesFor(schema)
  const field = {
    name,
    title: name,
    optional: !isRequired,
    hint: <ParameterHint parameter={parameter} schemas={schemas} hasList={choices !== undefined} />,
  }
  if (choices !== undefined) {
    const control = { placeholder: isRequired ? 'Choose' : 'Not set' }
    return {
      ...field,
      kind: 'choice',
      choices: toChoices(choices),
      isClearable: !isRequired,
      control,
    }
  }
  const text = { autoComplete: 'off', spellCheck: false, className: 'font-mono' }
  if (!isList(schema)) return { ...field, control: { ...text, required: isRequired } }
  const lines = { rows: 2, className: 'min-h-14! font-mono', placeholder: 'One value per line' }
  return { ...field, kind: 'long-text', control: { ...text, ...lines } }
}

interface ParameterHintProps {
  parameter: Parameter
  schemas: ObjectValue
  /** Whether its values are in a list, and not repeated here. */
  hasList: boolean
}

function ParameterHint({ parameter, schemas, hasList }: ParameterHintProps) {
  const { place, description, schema } = parameter
  const { type, facts } = readSchemaShape(schema, schemas)
  const more = facts.filter((fact) => !hasList || !fact.startsWith('one of'))
  const text = [description, ...more].filter(Boolean).join('; ')
  return (
    <>
      <span className="font-mono text-xs">
        {place === 'path' ? 'in the path' : 'in the query'}, {type}
      </span>
      {text !== '' && <span className="block wrap-anywhere">{text}</span>}
    </>
  )
}

function choicesFor(schema: Value): string[] | undefined {
  if (getField(schema, 'type') === 'boolean') return ['true', 'false']
  const values = getField(schema, 'enum')
  return Array.isArray(values) ? values.map(String) : undefined
}
