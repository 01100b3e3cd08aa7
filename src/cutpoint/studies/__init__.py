"""The papers and our own questions: what each measures, shows and claims; imports every room but workflow."""
