// One file of the page: FILE is its path from here, TYPE its media type.
{
    &FILE[sizeof "page"],
    TYPE,
    (const unsigned char[]){
#embed FILE
    },
    sizeof (const unsigned char[]){
#embed FILE
    },
},
#undef FILE
