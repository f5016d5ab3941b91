import { Trash2 } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { getField, valueAt, type Path } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FieldPlace } from '../../documents/field-place.tsx'
import { errorAt, FormText } from '../../documents/form-field.tsx'
import { FormDeprecated, FormFlag } from '../../documents/form-flag.tsx'
import { FormMore } from '../../documents/form-more.tsx'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import {
  textAt,
  FIELD_ORDER,
  getContractShape,
  listTypeEdits,
  listTypeNames,
  primaryKeyEdits,
  VECTOR,
} from './form-edits.ts'
import { QualityForm } from './quality-form.tsx'

const FieldMore = lazyPart(() => import('./field-more.tsx'), 'FieldMore')
const VectorForm = lazyPart(() => import('./field-more.tsx'), 'VectorForm')

const MORE_FIELDS = ['synonyms', 'semanticType', 'transformLogic', 'enum']

interface FieldFormProps extends DocumentFormProps {
  path: Path
  onRemove: () => void
  /** The fields below it. */
  children: ReactNode
}

/** One field of a model in the form. */
export function FieldForm({ path, onRemove, children, ...form }: FieldFormProps) {
  const common = { form, order: FIELD_ORDER }
  const isList = textAt(form.value, [...path, 'logicalType']) === 'array'
  return (
    <div className="grid gap-3 border-t border-line bg-sunken p-3">
      <div className="grid gap-3 @sm:grid-cols-2">
        <FormText {...common} label="Field name" path={[...path, 'name']} />
        <TypeField {...form} label="Type" path={[...path, 'logicalType']} />
        {isList && (
          <TypeField {...form} label="Type of each item" path={[...path, 'items', 'logicalType']} />
        )}
        <FormText {...common} label="Physical type" path={[...path, 'physicalType']} optional />
        <FormText {...common} label="Classification" path={[...path, 'classification']} optional />
      </div>
      {textAt(form.value, [...path, 'logicalType']) === VECTOR && (
        <Suspense fallback={<Skeleton lines={3} />}>
          <VectorForm {...form} path={path} />
        </Suspense>
      )}
      <Flags {...form} path={path} />
      <FormDeprecated {...common} path={path} shape={getContractShape(form.value)} />
      <FormText
        {...common}
        label="Field description"
        path={[...path, 'description']}
        optional
        multiline
      />
      <FormMore
        title="Synonyms, values and meaning"
        paths={MORE_FIELDS.map((name) => [...path, name])}
        prepare={FieldMore.prepare}
      >
        <FieldMore {...form} path={path} />
      </FormMore>
      {children}
      <QualityForm {...form} path={path} />
      <Button className="justify-self-start" icon={Trash2} onClick={onRemove}>
        Remove this field
      </Button>
    </div>
  )
}

interface AtPath extends DocumentFormProps {
  path: Path
}

function Flags({ path, ...form }: AtPath) {
  const { value, onEdit } = form
  const common = { form, order: FIELD_ORDER }
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1">
      <FormFlag {...common} label="Required" path={[...path, 'required']} />
      <FormFlag {...common} label="Unique" path={[...path, 'unique']} />
      <FieldPlace path={[...path, 'primaryKey']}>
        <Checkbox
          label="Primary key"
          checked={getField(valueAt(value, path), 'primaryKey') === true}
          onChange={(event) => void onEdit(...primaryKeyEdits(value, path, event.target.checked))}
        />
      </FieldPlace>
    </div>
  )
}

function TypeField({ label, path, ...form }: AtPath & { label: string }) {
  const type = textAt(form.value, path)
  return (
    <FieldPlace path={path}>
      <ChoiceField
        label={label}
        error={errorAt(form, path)}
        value={type}
        isClearable
        placeholder="Not set"
        choices={toChoices(listTypeNames(getContractShape(form.value), path, type))}
        onChange={(next) => void form.onEdit(...listTypeEdits(form.value, path, next))}
      />
    </FieldPlace>
  )
}
