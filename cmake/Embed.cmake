# Writes a C++ source that holds the bytes of IN as a NUL-terminated array.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "namespace kernelskill {\nextern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {${bytes}0};\n}\n")
