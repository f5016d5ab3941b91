/** Offers a text or a blob to the person as a file. */
export function download(content: string | Blob, mediaType: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName.replaceAll(/[^\w.-]+/g, '_')
  link.click()
  URL.revokeObjectURL(address)
}
