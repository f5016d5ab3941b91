import { getField, type ObjectValue, type Value } from '../../../formats/text/value.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Field, Input, TextArea, type ControlProps } from '../../parts/field.tsx'
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
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          schemas={schemas}
          value={filled[parameter.name] ?? ''}
          onChange={(value) => onChange({ ...filled, [parameter.name]: value })}
        />
      ))}
    </div>
  )
}

interface ParameterFieldProps {
  parameter: Parameter
  schemas: ObjectValue
  value: string
  onChange: (value: string) => void
}

function ParameterField({ parameter, schemas, value, onChange }: ParameterFieldProps) {
  const { name, place, isRequired, description, schema } = parameter
  const { type, facts } = readSchemaShape(schema, schemas)
  const hasList = choicesFor(resolveReference(schema, schemas)) !== undefined
  // Choices in a list are not repeated.
  const more = facts.filter((fact) => !hasList || !fact.startsWith('one of'))
  const told = [description, ...more].filter(Boolean).join('; ')
  const where = `${place === 'path' ? 'in the path' : 'in the query'}, ${type}`
  return (
    <Field
      label={name}
      optional={!isRequired}
      hint={
        <>
          <span className="font-mono text-xs">{where}</span>
          {told !== '' && <span className="block wrap-anywhere">{told}</span>}
        </>
      }
    >
      {(control) => (
        <Control
          control={control}
          schema={resolveReference(schema, schemas)}
          isRequired={isRequired}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

interface ControlNeeds {
  control: ControlProps
  schema: Value
  isRequired: boolean
  value: string
  onChange: (value: string) => void
}

function Control({ control, schema, isRequired, value, onChange }: ControlNeeds) {
  const choices = choicesFor(schema)
  if (choices !== undefined) {
    return (
      <Combobox
        {...control}
        value={value}
        isClearable={!isRequired}
        placeholder={isRequired ? 'Choose' : 'Not set'}
        choices={toChoices(choices)}
        onChange={onChange}
      />
    )
  }
  const common = {
    ...control,
    value,
    autoComplete: 'off',
    spellCheck: false,
    className: 'font-mono',
  }
  if (isList(schema)) {
    return (
      <TextArea
        {...common}
        rows={2}
        className="min-h-14! font-mono"
        placeholder="One value per line"
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <Input {...common} required={isRequired} onChange={(event) => onChange(event.target.value)} />
  )
}

function choicesFor(schema: Value): string[] | undefined {
  if (getField(schema, 'type') === 'boolean') return ['true', 'false']
  const values = getField(schema, 'enum')
  return Array.isArray(values) ? values.map(String) : undefined
}
