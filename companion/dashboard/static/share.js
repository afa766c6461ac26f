// Makes a PNG of a game's result, for what shows no SVG; without it the link gives that.

const SIDE = 1080;

async function drawn(address) {
  const picture = new Image(SIDE, SIDE);
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  canvas.getContext("2d").drawImage(picture, 0, 0, SIDE, SIDE);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

async function share(link) {
  const blob = await drawn(link.href);
  const file = new File([blob], link.download.replace(/svg$/, "png"), { type: "image/png" });
  // Browsers share files only over HTTPS; elsewhere the phone keeps the picture.
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] });
  const keep = document.createElement("a");
  keep.href = URL.createObjectURL(blob);
  keep.download = file.name;
  keep.click();
  setTimeout(() => URL.revokeObjectURL(keep.href), 60_000);
}

for (const link of document.querySelectorAll("a.share")) {
  let plain = false;
  link.addEventListener("click", async (event) => {
    if (plain) return;
    event.preventDefault();
    try {
      await share(link);
    } catch (error) {
      if (error.name === "AbortError") return; // somebody thought better of it
      plain = true; // the file as the table has it
      link.click();
    }
  });
}
