/** Hands a file to the visitor. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = safeFileName(name);
  link.click();
  // Safari reads the blob only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A name every file system takes. */
export function safeFileName(name: string): string {
  const kept = name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 100);
  return kept || 'download';
}
