/** Returns the name of a field as a label: `firstLevelApprovers` → "First level approvers". */
export function toLabel(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => {
    return `${end} ${start.toLowerCase()}`
  })
  return (words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/\burl\b/gi, 'URL')
}
