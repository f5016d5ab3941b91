import { resolveShape, shapeAt, type Shape } from '../../../formats/shape/shape.ts'
import { asText, getField, valueAt, type Path, type Value } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormFlag } from '../../documents/form-flag.tsx'
import { FormText, formatValue } from '../../documents/form-field.tsx'
import { FormList } from '../../documents/form-list.tsx'
import { FormTags } from '../../documents/form-tags.tsx'
import { listShapeFields } from '../../documents/shape-fields.ts'
import { ShapeFieldInput } from '../../documents/form-section.tsx'
import { toChoices } from '../../parts/choices.ts'
import { FIELD_ORDER, getContractShape, textAt } from './form-edits.ts'

interface FieldPartProps extends DocumentFormProps {
  /** The path of the field. */
  path: Path
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'number'])
const VALUE_ORDER = ['id', 'value', 'label', 'description']

/** The synonyms, the role and the allowed values of a field. */
export function FieldMore({ path, ...form }: FieldPartProps) {
  const shape = getContractShape(form.value)
  const has = (name: string): boolean => shapeAt(shape, [...path, name]) !== undefined
  const isNumber = NUMBER_TYPES.has(textAt(form.value, [...path, 'logicalType']))
  const common = { form, order: FIELD_ORDER }
  return (
    <>
      {has('synonyms') && (
        <FormTags {...common} path={[...path, 'synonyms']} label="Synonyms" field="synonym" />
      )}
      {has('semanticType') && <RoleFields {...form} path={path} />}
      {has('enum') && (
        <FormList
          {...common}
          path={[...path, 'enum']}
          title="Allowed values"
          empty="Without allowed values, the field can have any."
          addLabel="Add value"
          newItem={{ value: '' }}
          getName={(item, at) => getValueName(item) ?? `Value ${at + 1}`}
        >
          {(item) => (
            <div className="grid gap-3 @sm:grid-cols-2">
              <FormText
                form={form}
                order={VALUE_ORDER}
                path={[...item, 'value']}
                label="Value"
                isNumber={isNumber}
              />
              <FormText
                form={form}
                order={VALUE_ORDER}
                path={[...item, 'label']}
                label="Label"
                optional
              />
              <FormText
                form={form}
                order={VALUE_ORDER}
                path={[...item, 'description']}
                label="Meaning"
                optional
                className="@sm:col-span-2"
              />
            </div>
          )}
        </FormList>
      )}
    </>
  )
}

function getValueName(item: Value): string | undefined {
  const texts = [formatValue(getField(item, 'value')), asText(getField(item, 'label')) ?? '']
  return texts.filter((text) => text.trim() !== '').join(': ') || undefined
}

const ROLES = toChoices(['column', 'measure', 'dimension'])

// A measure or a dimension has an expression instead of a place where its data are.
function RoleFields({ path, ...form }: FieldPartProps) {
  const common = { form, order: FIELD_ORDER, optional: true }
  const role = textAt(form.value, [...path, 'semanticType'])
  const isComputed = role === 'measure' || role === 'dimension'
  return (
    <>
      <FormText
        {...common}
        path={[...path, 'semanticType']}
        label="Role"
        choices={ROLES}
        hint="A column has data. A measure or dimension is computed by an expression."
      />
      {isComputed && (
        <FormText {...common} path={[...path, 'transformLogic']} label="Expression" multiline />
      )}
    </>
  )
}

/** The options of a vector: its length, its elements, and the model that made it. */
export function VectorForm({ path, ...form }: FieldPartProps) {
  const options = getOptions(getContractShape(form.value), path, form.value)
  if (options === undefined) return null
  const place = [...path, 'logicalTypeOptions']
  const order = [...FIELD_ORDER, ...options.fields.keys()]
  const fields = listShapeFields(options, valueAt(form.value, place) ?? {})
  const flags = [...options.fields].filter(([, field]) => field.kind === 'flag')
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">Vector</legend>
      <div className="grid gap-3 @sm:grid-cols-2">
        {fields.map((field) => (
          <ShapeFieldInput
            key={field.name}
            {...{ form, field, order }}
            path={[...place, field.name]}
          />
        ))}
      </div>
      {flags.map(([name]) => (
        <FormFlag
          key={name}
          form={form}
          path={[...place, name]}
          label="Normalized"
          hint="All vectors have the length 1."
          order={order}
        />
      ))}
    </fieldset>
  )
}

// Which options there are depends on the logical type of the field.
function getOptions(shape: Shape, path: Path, value: Value) {
  const field = shapeAt(shape, path)
  const plain = field && resolveShape(field, valueAt(value, path) ?? {})
  const options = plain?.kind === 'object' ? plain.fields.get('logicalTypeOptions') : undefined
  const resolved = options && resolveShape(options, {})
  return resolved?.kind === 'object' ? resolved : undefined
}
